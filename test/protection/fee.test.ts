import { HeaderMap } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { protectedApi } from '../helpers/testkit.js';

const ITEM = '{ item { name } }';
/** A bucket of three tokens, for operations that cost one. */
const POOR = { tier: { capacity: 3 } };

describe('rejection fee', () => {
  it('an operation without a price costs the fee, and gets 429 if no tokens are left', async () => {
    const { ask } = await protectedApi(POOR);
    expect((await ask('{')).cost).toMatchObject({
      fee: 1,
      throttleStatus: { currentlyAvailable: 2 },
    });
    expect((await ask('{ nothing }')).status).toBe(400);
    expect((await ask(ITEM, { operationName: 'X' })).status).toBe(400);
    const denied = await ask('{');
    expect(denied.status).toBe(429);
    expect(denied.errors).toMatchObject([{ extensions: { code: 'THROTTLED', deniedBy: 'tier:free' } }]);
    expect(denied.cost.fee).toBe(0);
  });

  it('chargeFee charges the fee without an operation, and returns a denial if the caller cannot pay it', async () => {
    const { tollgate } = await protectedApi({ ...POOR, fee: 2 });
    expect((await tollgate.chargeFee({ user: 'ann' })).denial).toBeUndefined();
    expect((await tollgate.chargeFee({ user: 'ann' })).denial?.extensions).toMatchObject({ remaining: 1 });
  });

  it('the fee is at most the capacity of the bucket', async () => {
    const { ask } = await protectedApi({ ...POOR, fee: 10 });
    expect((await ask('{')).cost.fee).toBe(3);
    expect((await ask('{')).status).toBe(429);
  });

  it('in shadow mode, an operation is not denied if its caller cannot pay the fee', async () => {
    const { ask } = await protectedApi({ ...POOR, mode: 'SHADOW' });
    for (let index = 0; index < 5; index++) expect((await ask('{')).status).toBe(400);
  });

  it('the fee must be a whole number of tokens', async () => {
    for (const fee of [-1, 0.5, Number.NaN])
      await expect(protectedApi({ fee })).rejects.toThrow(/^fee: expected a whole/);
  });
});

describe('callers without an identity', () => {
  it('callers without an identity share one bucket', async () => {
    const { ask } = await protectedApi({ ...POOR, identify: () => ({}) });
    for (let index = 0; index < 3; index++) expect((await ask(ITEM)).status).toBe(200);
    expect((await ask(ITEM)).status).toBe(429);
  });
});

describe('batches that Apollo Server splits', () => {
  it('a split batch causes one warning, because its operations are charged separately', async () => {
    // Apollo Server splits the batch, because this test does not use the HTTP layer of the
    // platform.
    const { server, warnings } = await protectedApi({ apollo: { allowBatchedHttpRequests: true } });
    const headers = new HeaderMap([['content-type', 'application/json']]);
    const body = [{ query: ITEM }, { query: ITEM }];
    for (let index = 0; index < 2; index++) {
      const answer = await server!.executeHTTPGraphQLRequest({
        httpGraphQLRequest: { method: 'POST', headers, search: '', body },
        context: async () => ({ subject: {}, clientGone: new AbortController().signal }),
      });
      if (answer.body.kind !== 'complete') throw new Error('expected a complete answer');
      expect(JSON.parse(answer.body.string)).toHaveLength(2);
    }
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/allowBatchedHttpRequests/);
  });

  it('the headers of a split batch contain the total cost and the longest wait', async () => {
    const { server } = await protectedApi({
      apollo: { allowBatchedHttpRequests: true },
      tier: { capacity: 100, refillAmount: 1, refillPeriodMs: 1000 },
    });
    async function ask(...queries: string[]) {
      const headers = new HeaderMap([['content-type', 'application/json']]);
      const answer = await server!.executeHTTPGraphQLRequest({
        httpGraphQLRequest: { method: 'POST', headers, search: '', body: queries.map((query) => ({ query })) },
        context: async () => ({ subject: { user: 'ann' }, clientGone: new AbortController().signal }),
      });
      if (answer.body.kind !== 'complete') throw new Error('expected a complete answer');
      return { headers: answer.headers, answers: JSON.parse(answer.body.string) };
    }
    const { headers, answers } = await ask('{ items(first: 20) { name } }', ITEM, '{ nothing }', ITEM);
    const [items] = answers;
    expect(items.extensions.cost.actualQueryCost).toBeGreaterThan(1);
    // The other three operations cost one token each. For the invalid operation, this is the fee.
    expect(headers.get('x-ratelimit-cost')).toBe(String(items.extensions.cost.actualQueryCost + 3));
    expect(headers.has('retry-after')).toBe(false);
    const many = (first: number) => `{ items(first: ${first}) { name } }`;
    const denied = await ask(many(100), ITEM, many(94));
    const waits = denied.answers.map(({ errors }: { errors?: [{ extensions: { retryAfterMs: number } }] }) =>
      Math.ceil((errors?.[0].extensions.retryAfterMs ?? 0) / 1000),
    );
    expect(waits[1]).toBe(0);
    expect(waits[0]).toBeGreaterThan(waits[2]);
    expect(denied.headers.get('retry-after')).toBe(String(waits[0]));
    expect(denied.headers.get('x-ratelimit-cost')).toBe('1');
  });

  it('operations of a split batch return errors with http extensions in the same way as single operations', async () => {
    const thrown = [
      // The form that GraphQL Yoga supports.
      new GraphQLError('busy', { extensions: { http: { status: 503, headers: { 'retry-after': '30' } } } }),
      new GraphQLError('slow', { extensions: { http: { headers: new HeaderMap([['retry-after', '7']]) } } }),
    ];
    const { server } = await protectedApi({
      apollo: { allowBatchedHttpRequests: true },
      schema: 'type Query { a: Int }',
      resolvers: {
        Query: {
          a: () => {
            throw thrown.shift();
          },
        },
      },
    });
    const headers = new HeaderMap([['content-type', 'application/json']]);
    const body = [{ query: '{ a }' }, { query: '{ a }' }];
    const answer = await server!.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: 'POST', headers, search: '', body },
      context: async () => ({ subject: { user: 'ann' }, clientGone: new AbortController().signal }),
    });
    if (answer.body.kind !== 'complete') throw new Error('expected a complete answer');
    const errors = JSON.parse(answer.body.string).map(
      (one: { errors: { message: string }[] }) => one.errors[0]!.message,
    );
    expect(errors).toEqual(['busy', 'slow']);
    expect(answer.headers.get('retry-after')).toBe('7');
  });
});
