import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startEmbeddedPlatform } from '../../helpers/embedded-platform.js';
import { post } from '../../helpers/platform.js';
import { reportFigure } from '../../report/figures.js';
import { countCases } from '../serve.js';

const REQUESTS = 100_000;
const ONE = 'GET /graphql HTTP/1.1\r\nhost: a\r\n\r\n';
/** Maximum growth of the memory. With an unbounded queue, the heap grew to its limit of 400 MB. */
const MAX_GROWTH_BYTES = 128 * 2 ** 20;

it('A34: a platform with a heap of 400 MB serves others while one connection pipelines 100,000 unread requests', async (context) => {
  const platform = await startEmbeddedPlatform({
    env: { NODE_OPTIONS: '--max-old-space-size=400', LOG_LEVEL: 'error' },
  });
  const residentBytes = async () => {
    const text = await (await fetch(`${platform.url}/metrics`, { headers: { connection: 'close' } })).text();
    return Number(/^process_resident_memory_bytes ([\d.e+]+)/m.exec(text)?.[1]);
  };
  const flood = connect(platform.port, '127.0.0.1');
  try {
    const ask = () => post(`${platform.url}/graphql`, '{ __typename }', { 'x-api-key': 'demo-pro' });
    expect((await ask()).status).toBe(200);
    const before = await residentBytes();
    flood.on('error', () => {});
    flood.pause();
    flood.write(ONE.repeat(REQUESTS));
    let growth = 0;
    for (let round = 0; round < 10; round++) {
      expect((await ask()).status).toBe(200);
      growth = Math.max(growth, (await residentBytes()) - before);
    }
    expect(platform.process.exitCode, platform.output()).toBeNull();
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
    reportFigure(context, `${REQUESTS} pipelined requests, resident memory grew by ${Math.round(growth / 1e6)} MB`);
    countCases(context, REQUESTS);
  } finally {
    flood.destroy();
    expect(await platform.stop()).toBe(0);
  }
}, 300_000);
