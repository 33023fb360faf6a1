// A server that shares the Redis and the PostgreSQL of the platform. It decides operations at a
// fixed rate, without a transport, and returns the number of decisions. It ends when its parent
// process disconnects.
import { execute } from 'graphql';
import { createTollgate } from '../../src/index.js';
import { createDemoSchema } from '../../test/helpers/demo-schema.js';
import type { DecideRequest, DecideResult } from './decider.js';

const QUERY = '{ country(code: "SE") { name } }';
/**
 * Maximum number of decisions in flight, which is reached only if Redis is too slow. Operations
 * that are delayed beyond the end of the run are dropped.
 */
const MAX_UNDER_WAY = 500;

process.on('message', async (message: DecideRequest) => {
  process.send?.(await decide(message));
});
process.on('disconnect', () => process.exit(0));

async function decide({ redisUrl, databaseUrl, perSecond, durationMs, callers }: DecideRequest): Promise<DecideResult> {
  const schema = createDemoSchema();
  const tollgate = await createTollgate<{ user: string }>({
    schema,
    redis: redisUrl,
    postgres: databaseUrl,
    logger: { info() {}, warn: console.warn, error: console.error },
    identify: ({ contextValue }) => ({ user: contextValue.user }),
  });
  let [sent, admitted, underWay] = [0, 0, 0];
  const ask = async () => {
    const contextValue = { user: `live-${sent % callers}` };
    const request = await tollgate.protect({ query: QUERY, contextValue });
    if (!request.admitted) return;
    await request.run((document) => execute({ schema, document, contextValue }));
    admitted++;
  };
  const startedMs = performance.now();
  for (let nowMs = 0; nowMs < durationMs; nowMs = performance.now() - startedMs) {
    for (; sent < (nowMs * perSecond) / 1000 && underWay < MAX_UNDER_WAY; sent++) {
      underWay++;
      void ask().finally(() => underWay--);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  while (underWay > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const elapsedMs = performance.now() - startedMs;
  await tollgate.close();
  return { decisions: sent, admitted, elapsedMs };
}
