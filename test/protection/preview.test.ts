import { describe, expect, it } from 'vitest';
import { freePort } from '../helpers/servers.js';
import { type ProtectedApi, protectedApi } from '../helpers/testkit.js';

const ITEM = '{ item { name } }';

function previewOf({ tollgate, user }: ProtectedApi, query: string, as = user) {
  return tollgate.preview.previewOf({ query, variables: {}, operationName: undefined, as: { user: as } });
}

describe('previews', () => {
  it('a preview names the rule and the wait of the actual denial if several rules deny', async () => {
    const once = { algorithm: 'SLIDING_WINDOW_LOG', amount: 1, windowMs: 86_400_000, countDenied: true } as const;
    const api = await protectedApi({
      rules: [
        { name: 'everything', field: '*', scope: 'USER', measure: 'REQUESTS', limits: [once] },
        {
          name: 'one item',
          field: 'Query.item',
          scope: 'USER',
          measure: 'CALLS',
          limits: [{ ...once, windowMs: 3_600_000 }],
        },
      ],
    });
    expect(await previewOf(api, ITEM)).toMatchObject({ verdict: 'ADMITTED', deniedBy: null, retryAfterMs: null });
    expect((await api.ask(ITEM)).status).toBe(200);
    const before = Date.now();
    const preview = await previewOf(api, ITEM);
    const denied = await api.ask(ITEM);
    expect(preview).toMatchObject({ verdict: 'THROTTLED', deniedBy: 'one item' });
    expect(denied.errors).toMatchObject([{ extensions: { code: 'THROTTLED', deniedBy: 'one item' } }]);
    // The limits count denied operations, so the wait begins when the operation is denied.
    const waitedMs = Date.now() - before;
    const statedMs = Number(denied.errors![0]!.extensions['retryAfterMs']);
    expect(Math.abs(preview.retryAfterMs! - statedMs)).toBeLessThanOrEqual(waitedMs + 1);
  });

  it('a preview returns DELAYED for an operation that would be delayed, and ADMITTED for an operation without delay', async () => {
    const api = await protectedApi({
      rules: [
        {
          name: 'evenly',
          field: '*',
          scope: 'USER',
          limits: [{ algorithm: 'LEAKY_BUCKET', capacity: 10, refillAmount: 1, refillPeriodMs: 60_000 }],
        },
      ],
    });
    expect(await previewOf(api, ITEM)).toMatchObject({ verdict: 'ADMITTED' });
    expect((await api.ask(ITEM)).status).toBe(200);
    expect(await previewOf(api, ITEM)).toMatchObject({ verdict: 'DELAYED', deniedBy: null });
  });

  it('a preview returns UNAVAILABLE, like the operation, if a rule fails closed while Redis is down', async () => {
    const api = await protectedApi({
      redis: `redis://127.0.0.1:${await freePort()}`,
      rules: [
        {
          name: 'never unseen',
          field: 'Query.search',
          scope: 'USER',
          onUnavailable: 'CLOSED',
          limits: [{ algorithm: 'FIXED_WINDOW', amount: 100, windowMs: 86_400_000 }],
        },
      ],
    });
    expect(await previewOf(api, ITEM)).toMatchObject({ verdict: 'ADMITTED' });
    const search = '{ search(text: "a") { name } }';
    expect(await previewOf(api, search)).toMatchObject({
      verdict: 'UNAVAILABLE',
      deniedBy: 'never unseen',
      retryAfterMs: null,
    });
    expect((await api.ask(search)).status).toBe(503);
  });
});
