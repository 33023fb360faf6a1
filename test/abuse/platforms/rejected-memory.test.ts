import { Agent, request } from 'node:http';
import { expect, it } from 'vitest';
import { startEmbeddedPlatform } from '../../helpers/embedded-platform.js';
import { ADMIN_TOKEN } from '../../helpers/platform.js';
import { reportFigure } from '../../report/figures.js';
import { countCases } from '../serve.js';

const DOCUMENTS = Number(process.env['ABUSE_DOCUMENTS'] ?? 500);
const AT_ONCE = 8;

/**
 * Returns a document of some 1,300 tokens in 5 kB. The parsed document occupies about 800 kB of the
 * heap. Each index yields a different document.
 */
function expensive(index: number, first: number): string {
  const countries = Array.from({ length: 120 }, (_, i) => `c${i}_${index}: countries(first: ${first}) { name }`);
  return `query AnOperationWithALongName${index} { ${countries.join(' ')} }`;
}

it('A28: a platform with a heap of 256 MB survives thousands of different documents, rejected and admitted', async (context) => {
  const platform = await startEmbeddedPlatform({
    env: {
      NODE_OPTIONS: '--max-old-space-size=256',
      // Without a fee, rejections do not empty the bucket, so only the memory limits the attack.
      TOLLGATE_FEE: '0',
      LOG_LEVEL: 'error',
    },
  });
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const send = (path: string, body: unknown, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const text = JSON.stringify(body);
      const all = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers };
      const sent = request(`${platform.url}${path}`, { agent, method: 'POST', headers: all }, (response) => {
        response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0));
        response.resume();
      });
      sent.on('error', reject);
      sent.end(text);
    });
  const flood = async (one: (index: number) => Promise<number>, expected: readonly number[]) => {
    let next = 0;
    const statuses = new Set<number>();
    const sender = async () => {
      while (next < DOCUMENTS) statuses.add(await one(next++));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
    for (const status of statuses) expect(expected).toContain(status);
  };
  const api = (query: string, more: object = {}) => send('/graphql', { query, ...more }, { 'x-api-key': 'demo-free' });

  try {
    // Operations above the bucket's capacity, and requests with an unknown operation name.
    await flood((index) => api(expensive(index, 250)), [400]);
    await flood((index) => api(expensive(DOCUMENTS + index, 250), { operationName: 'Other' }), [400]);
    // The server admits these operations until the tokens are used up, and caches some of their
    // cost plans.
    await flood((index) => api(expensive(2 * DOCUMENTS + index, 0)), [200, 429]);
    const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const ofAdmin = (index: number) =>
      `{ ${Array.from({ length: 100 }, (_, i) => `t${i}_${index}: tiers(first: 1000) { nodes { name } }`).join(' ')} }`;
    await flood((index) => send('/admin/graphql', { query: ofAdmin(index) }, admin), [200, 400, 429]);
    expect(platform.process.exitCode, platform.output()).toBeNull();
    const metrics = await (await fetch(`${platform.url}/metrics`)).text();
    const [, heap] = /^nodejs_heap_size_used_bytes ([\d.e+]+)/m.exec(metrics) ?? [];
    if (heap !== undefined)
      reportFigure(context, `${4 * DOCUMENTS} documents, heap in use ${Math.round(Number(heap) / 1e6)} MB`);
    countCases(context, 4 * DOCUMENTS);
  } finally {
    agent.destroy();
    expect(await platform.stop()).toBe(0);
  }
}, 300_000);
