import { createDemoContext } from '../../packages/platform/src/create-demo-schema.js';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { migrate } from '../../src/postgres/migrate.js';
import type { DocumentInput } from '../../src/registry/document-input.js';
import { documentOfText } from '../../src/registry/read-manifest.js';
import { createDemoSchema } from '../../test/helpers/demo-schema.js';
import { startPostgresServer } from '../../test/helpers/servers.js';
import { pusherOf } from '../../test/registry/pusher-of.js';
import { subjectOf } from '../decision/workload.js';
import type { Variant } from '../frame/bench.js';
import { keepInFlight } from '../frame/keep-in-flight.js';
import { startLoadGenerator } from '../http/load.js';
import { OPERATIONS, type OperationName } from '../http/operations.js';
import { protect, startApollo, startProtect } from '../servers/start-servers.js';

const CALLERS = 1000;
const IN_FLIGHT = 64;

export const METRICS = [
  { name: 'server CPU us', better: 'lower' },
  { name: 'operations/s', better: 'higher' },
] as const;

const SIZES = { '1 KB': 'page', '5 KB': 'tabs' } as const satisfies Record<string, OperationName>;

/** Measures requests with the texts of documents that are not registered, or with the ids of registered ones. */
export function measureDocuments(server: 'protect' | 'Apollo Server', by: 'text' | 'id'): Variant {
  return async ({ warmUpMs }) => {
    const postgres = await startPostgresServer();
    // The variant with texts registers other documents, so that a lookup compares hashes.
    const registered = (operation: OperationName) =>
      documentOfText(by === 'id' ? OPERATIONS[operation].query : `${OPERATIONS[operation].query}# Another text`);
    await register(postgres.url, Object.values(SIZES).map(registered));
    const { url, close } = await (server === 'protect' ? startProtect : startApollo)(postgres.url);
    const generator = startLoadGenerator();
    const overHttp = (operation: OperationName): Work => {
      const documentId = by === 'id' ? { documentId: registered(operation).id } : {};
      return async (durationMs) => {
        const load = { url, operation, connections: IN_FLIGHT, callers: CALLERS, durationMs, ...documentId };
        const { requests, elapsedMs } = await generator.run(load);
        return { done: requests, elapsedMs };
      };
    };
    const inProcess = server === 'protect' ? await protect(createDemoSchema(), postgres.url) : undefined;
    const run: Record<string, ReturnType<typeof measured>> = {};
    for (const [size, operation] of Object.entries(SIZES)) {
      const documentId = by === 'id' ? registered(operation).id : undefined;
      if (inProcess) run[`decision, ${size}`] = measured(decisions(inProcess, operation, documentId));
      run[`HTTP, ${size}`] = measured(overHttp(operation));
    }
    return {
      // V8 needs some ten thousand requests to compile the HTTP path.
      warmUpMs: 8 * warmUpMs,
      run,
      async close() {
        generator.stop();
        await inProcess?.close();
        await close();
        await postgres.stop();
      },
    };
  };
}

type Work = (durationMs: number) => Promise<{ done: number; elapsedMs: number }>;

function measured(work: Work) {
  return async (durationMs: number) => {
    const before = process.cpuUsage();
    const { done, elapsedMs } = await work(durationMs);
    const { user, system } = process.cpuUsage(before);
    return { 'server CPU us': (user + system) / done, 'operations/s': (done / elapsedMs) * 1000 };
  };
}

async function register(url: string, documents: DocumentInput[]): Promise<void> {
  const db = await createPgDb({ url });
  await migrate(db);
  await pusherOf(db)({ app: 'web', version: '1', documents });
  await db.close();
}

/** Returns a loop that reads request bodies and decides about their operations, without executing them. */
function decisions(
  tollgate: Awaited<ReturnType<typeof protect>>,
  operation: OperationName,
  documentId: string | undefined,
): Work {
  const { query, variables } = OPERATIONS[operation];
  const document = documentId === undefined ? { query } : { documentId };
  const bodies = Array.from({ length: CALLERS }, (_, call) =>
    Buffer.from(JSON.stringify({ ...document, variables: variables(call) })),
  );
  const decide = async (call: number) => {
    const { query, documentId, variables } = JSON.parse(bodies[call % CALLERS]!.toString());
    const contextValue = { subject: subjectOf(call), ...createDemoContext() };
    const request = await tollgate.protect({ query, documentId, variables, contextValue });
    if (!request.admitted) throw new Error(`not admitted: ${JSON.stringify(request.answer.body)}`);
    request.abandon();
  };
  return (durationMs) => keepInFlight(1, durationMs, decide);
}
