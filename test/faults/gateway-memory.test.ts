import { mkdtempSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { FAULTS, JSON_TYPE, MANY, trickle } from '../gateway/faults.js';
import { openGateway, serveUpstream, TYPES } from '../gateway/gateway.js';
import { until } from '../helpers/until.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const DEFER = 'directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT';
const PARTS = { 'content-type': 'multipart/mixed; boundary="-"' };
const FIRST = '\r\n---\r\n\r\n{"data":{"item":{"name":"x"}},"hasNext":true}\r\n---';

/** Upstreams that fail after their response has begun. */
const LATER: RequestListener[] = [
  (_, response) => {
    response.writeHead(200, PARTS);
    response.write(FIRST);
  },
  (_, response) => {
    response.writeHead(200, PARTS);
    response.write(`${FIRST}\r\n\r\n{"inc`, () => response.socket!.resetAndDestroy());
  },
  (_, response) => {
    response.writeHead(200, JSON_TYPE);
    response.write(`{"data":{"echo":"${'x'.repeat(10_000)}`);
    trickle(response, 'x');
  },
];
const ALL = [...FAULTS.map(([, behave]) => behave), ...LATER];
/**
 * Number of rounds in a block. A round has every fault once, and eleven successful requests.
 */
const ROUNDS = 4;
/**
 * Number of blocks. One-time allocations, such as caches, increase the memory only during the first
 * blocks. A leak increases it during every block.
 */
const BLOCKS = 10;
/**
 * Allowed growth per request. A leaked schema, or an operation with its document and response,
 * takes at least ten times as much.
 */
const BYTES_EACH = 512;

it('a gateway retains nothing of hundreds of requests whose upstream fails in all ways while its schema changes', {
  timeout: 600_000,
}, async () => {
  const upstream = await serveUpstream();
  const schemaFile = join(mkdtempSync(join(tmpdir(), 'tollgate-memory-')), 'schema.graphql');
  const writeSchema = (round: number) => writeFileSync(schemaFile, `${TYPES} ${DEFER} enum Round { R${round % 2} }`);
  writeSchema(0);
  const settings = { schemaFile, upstreamTimeoutMs: 1000, maxReadBytes: 2000, maxUpstreamRequests: 64 };
  const gateway = await openGateway(upstream.url, settings, {}, 50_000_000);
  const ok = { query: '{ item { name } }' };
  const faulty = { query: '{ item { name } ... @defer { items(first: 40) { name } } }', operationName: null };
  let asked = 0;
  const behaveNext: RequestListener = (request, response) => ALL[asked++ % ALL.length]!(request, response);
  const post = (body: object) =>
    fetch(gateway.url, {
      method: 'POST',
      headers: { ...JSON_TYPE, accept: 'multipart/mixed, application/json', connection: 'close' },
      body: JSON.stringify(body),
    });

  async function run(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      upstream.behave = behaveNext;
      const failing = Promise.all(
        ALL.map(() =>
          post(faulty)
            .then((response) => response.text())
            .catch(() => {}),
        ),
      );
      writeSchema(round);
      await gateway.refreshSchema();
      await failing;
      upstream.behave = undefined;
      // The consecutive failures have opened the circuit.
      await until('the gateway forwards again', async () => (await post(ok)).status === 200);
      for (let i = 0; i < 10; i++)
        await until('the gateway returns a list', async () => (await post({ query: MANY })).status === 200);
      upstream.reached = [];
      gateway.log.length = 0;
    }
  }
  async function heapBytes(): Promise<number> {
    await until('no upstream request is open', async () => {
      const found = await gateway.metrics();
      return found.get('tollgate_upstream_requests') === 0 && found.get('tollgate_upstream_held_bytes') === 0;
    });
    for (let i = 0; i < 3; i++) {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
    }
    // V8 compiles functions during the whole test, so compiled code does not count.
    const { code_and_metadata_size, bytecode_and_metadata_size } = getHeapCodeStatistics();
    return process.memoryUsage().heapUsed - code_and_metadata_size - bytecode_and_metadata_size;
  }

  const grown: number[] = [];
  let before = await heapBytes();
  do {
    await run(ROUNDS);
    const after = await heapBytes();
    grown.push(after - before);
    before = after;
  } while (grown.at(-1)! >= ROUNDS * (ALL.length + 11) * BYTES_EACH && grown.length < BLOCKS);
  expect(grown.at(-1), `bytes that each block has added: ${grown}`).toBeLessThan(
    ROUNDS * (ALL.length + 11) * BYTES_EACH,
  );
});
