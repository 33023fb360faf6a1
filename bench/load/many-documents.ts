// `npm run load:documents`: registers 100,000 documents with the command, 10,000 at a time. Then it
// measures how much longer a start takes with them, and the memory that they use. It fails if a
// start takes over 2 s longer, or if the texts exceed `documentCacheBytes`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createTollgate } from '../../src/index.js';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { createLiveDocuments } from '../../src/registry/create-live-documents.js';
import { documentOfText } from '../../src/registry/read-manifest.js';
import { documentsCommand } from '../../src/server/commands/documents/documents-command.js';
import { createDemoSchema } from '../../test/helpers/demo-schema.js';
import { startPostgresServer } from '../../test/helpers/servers.js';
import { OPERATIONS } from '../http/operations.js';

const PUSHES = 10;
const PER_PUSH = 10_000;
const CACHE_BYTES = 8 * 2 ** 20;
const STARTS = 5;
const MAX_LONGER_MS = 2_000;

const postgres = await startPostgresServer();
const folder = mkdtempSync(join(tmpdir(), 'documents-'));
process.env['DATABASE_URL'] = postgres.url;
const failures: string[] = [];
const silent = { info() {}, warn() {}, error: (_: object, message: string) => console.error(message) };

/** Returns the document with this number: a page of 1 KB with a name of its own. */
const documentOf = (number: number) => documentOfText(OPERATIONS.page.query.replace('CountryPage', `Page${number}`));

/** Returns the median time of a start, in milliseconds. */
async function measureStarts(): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start <= STARTS; start++) {
    const startedAtMs = performance.now();
    const tollgate = await createTollgate({
      schema: createDemoSchema(),
      postgres: postgres.url,
      identify: () => ({ user: 'ann' }),
      logger: silent,
    });
    times.push(performance.now() - startedAtMs);
    await tollgate.close();
  }
  // The first start also compiles the code.
  return times.slice(1).sort((a, b) => a - b)[Math.floor(STARTS / 2)]!;
}

async function push(part: number): Promise<number> {
  const file = join(folder, 'manifest.json');
  const documents = Array.from({ length: PER_PUSH }, (_, index) => documentOf(part * PER_PUSH + index));
  writeFileSync(file, JSON.stringify(Object.fromEntries(documents.map(({ id, text }) => [id, text]))));
  const args = ['push', file, '--app', 'web', '--version', `1.${part}`, '--publish'];
  const startedAtMs = performance.now();
  const status = await documentsCommand(args, process);
  if (status !== 0) throw new Error(`push: ended with ${status}`);
  return performance.now() - startedAtMs;
}

/** Looks up documents at random, and returns the estimated and the measured growth of the heap, in bytes. */
async function measureMemory(): Promise<{ prints: number; estimated: number; heap: number; lookups: number }> {
  const db = await createPgDb({ url: postgres.url });
  // The garbage of the starts and pushes is freed in several turns.
  const collected = async () => {
    for (let turn = 0; turn < 10; turn++) {
      await setTimeout(100);
      globalThis.gc!();
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  await db.query('select 1');
  const before = await collected();
  const live = createLiveDocuments({ db, shared: undefined, maxBytes: CACHE_BYTES });
  await live.refresh();
  const prints = (await collected()) - before;
  const lookups = 20_000;
  for (let lookup = 0; lookup < lookups; lookup++) {
    const { id } = documentOf((lookup * 7919) % (PUSHES * PER_PUSH));
    if ((await live.find(id, {}))?.id !== id) throw new Error(`not found: ${id}`);
  }
  const result = { prints, estimated: live.bytes, heap: (await collected()) - before - prints, lookups };
  await db.close();
  return result;
}

try {
  const without = await measureStarts();
  const pushes: number[] = [];
  for (let part = 0; part < PUSHES; part++) pushes.push(await push(part));
  const withAll = await measureStarts();
  const { prints, estimated, heap, lookups } = await measureMemory();
  const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  console.log(
    `push of ${PER_PUSH} documents: ${Math.min(...pushes).toFixed(0)} to ${Math.max(...pushes).toFixed(0)} ms`,
  );
  console.log(`start: ${without.toFixed(0)} ms without documents, ${withAll.toFixed(0)} ms with ${PUSHES * PER_PUSH}`);
  console.log(`heap of the prints of all ids and texts: ${mib(prints)}`);
  console.log(`texts after ${lookups} lookups: ${mib(estimated)} of ${mib(CACHE_BYTES)}; heap ${mib(heap)}`);
  if (withAll - without > MAX_LONGER_MS) failures.push(`a start takes ${withAll - without} ms longer`);
  if (estimated > CACHE_BYTES || heap > CACHE_BYTES) failures.push(`the texts use ${mib(Math.max(estimated, heap))}`);
} finally {
  rmSync(folder, { recursive: true });
  await postgres.stop();
}
for (const failure of failures) console.error(failure);
process.exitCode = failures.length > 0 ? 1 : 0;
