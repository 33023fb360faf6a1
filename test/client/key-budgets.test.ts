import { expect, it } from 'vitest';
import { createPacedFetch } from '../../packages/client/src/paced-fetch.js';
import type { PacerEvent } from '../../packages/client/src/pacer.js';
import { readTollgate } from '../../packages/client/src/read-tollgate.js';
import { uniqueName } from '../helpers/servers.js';
import { type ProtectedApiOptions, protectedApi } from '../helpers/testkit.js';

/** Serves an API whose caller is an agent with a bucket of 4 tokens that refills 20 per second. */
async function apiOfAgent(options: ProtectedApiOptions) {
  const user = uniqueName('owner');
  const keyBudget = { capacity: 4, refillAmount: 20, refillPeriodMs: 1000 };
  const subjectOf = () => ({ user, apiKey: `${user}-agent`, keyKind: 'AGENT' as const, keyBudget });
  return protectedApi({ subjectOf, ...options });
}

/** Sends operations of one token each at the same time, and returns their statuses and the denials. */
async function sendPaced(url: string, count: number) {
  const events: PacerEvent[] = [];
  const paced = createPacedFetch(fetch, { onEvent: (event) => events.push(event) });
  const body = JSON.stringify({ query: '{ item { name } }' });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const responses = await Promise.all(Array.from({ length: count }, () => paced(url, init)));
  const denials = events.filter(({ type }) => type === 'DENIED').length;
  return { statuses: new Set(responses.map(({ status }) => status)), denials, quota: paced.pacer.quota() };
}

it.each([
  ['a tier with a large bucket', {}],
  ['a tier without a bucket', { tiers: [{ name: 'open', capacity: null, isDefault: true }] }],
])('an agent with a small bucket of its own waits for it and is not denied, on %s', async (_, options) => {
  const api = await apiOfAgent(options);
  const { statuses, denials, quota } = await sendPaced(api.url, 12);
  expect(statuses).toEqual(new Set([200]));
  expect(denials).toBe(0);
  expect(quota).toMatchObject({ capacity: 4, restorePerSecond: 20 });
});

it('the pacer follows the bucket with the fewest tokens, of the tier or of the key', () => {
  const status = (currentlyAvailable: number, maximumAvailable: number) => ({
    maximumAvailable,
    currentlyAvailable,
    restoreRate: 1,
  });
  const bucketOf = (cost: object) => readTollgate({ data: {}, extensions: { cost } }).bucket;
  const [key, tier] = [status(60, 500), status(900, 1000)];
  expect(bucketOf({ throttleStatus: tier, keyStatus: key })).toMatchObject({ capacity: 500, available: 60 });
  expect(bucketOf({ throttleStatus: status(10, 1000), keyStatus: key })).toMatchObject({ capacity: 1000 });
  expect(bucketOf({ throttleStatus: null, keyStatus: key })).toMatchObject({ capacity: 500 });
  expect(bucketOf({ throttleStatus: tier })).toMatchObject({ capacity: 1000 });
  expect(bucketOf({ throttleStatus: null, keyStatus: 'none' })).toBeUndefined();
});
