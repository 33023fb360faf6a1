import { buildSchema, execute } from 'graphql';
import type { MonitoredLimiter } from '../../src/limiter/create-limiter.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { PATIENT_MS } from '../helpers/patient.js';

// A protected server without a port. It receives { user, times }. It replies with the number of
// admitted operations, the number of denials without a call to Redis, the tokens held in leases,
// and the last denial. Remembered denials and leases outlive a test, so that only a reset can end
// them.

const KEPT_MS = 60_000;

const [redis, postgres] = process.argv.slice(2) as [string, string];
const schema = buildSchema('type Query { item: Int }');
const tollgate = await createTollgate<{ user: string }>({
  schema,
  redis,
  postgres,
  identify: ({ contextValue }) => ({ user: contextValue.user }),
  deadlineMs: PATIENT_MS,
  identityDeadlineMs: PATIENT_MS,
  tiers: [{ name: 'free', isDefault: true, capacity: 400, refillAmount: 1, refillPeriodMs: 86_400_000 }],
  tierPrecision: 'LEASED',
  leases: { lengthMs: KEPT_MS },
  denialMemory: { maxAgeMs: KEPT_MS },
  usage: false,
  logger: { info() {}, warn() {}, error() {} },
});

const limiter = tollgate.limiter as MonitoredLimiter;

process.on('message', async ({ user, times }: { user: string; times: number }) => {
  const before = limiter.rememberedDenials.answered;
  let admitted = 0;
  let denied: unknown;
  for (let i = 0; i < times; i++) {
    const contextValue = { user };
    const request = await tollgate.protect({ query: '{ item }', headers: {}, contextValue });
    if (!request.admitted) {
      denied = request.answer.body;
      continue;
    }
    admitted++;
    await request.run((document) => execute({ schema, document, contextValue }));
  }
  const remembered = limiter.rememberedDenials.answered - before;
  process.send?.({ admitted, remembered, held: limiter.leases().held, denied });
});
process.once('disconnect', () => void tollgate.close());
process.send?.('ready');
