import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../helpers/until.js';
import { type Decider, type DeciderWorld, openWorld } from './decider.js';

let world: DeciderWorld;
let here: Decider;
let there: Decider;
beforeAll(async () => {
  world = await openWorld();
  here = await world.start(SCORE);
  there = await world.start(SCORE);
});
afterAll(() => world.end());

const SCORE = { TOLLGATE_SCORE_HEADER: 'X-GraphQL-Score' };
const items = (count: number) => ({ items: Array.from({ length: count }, () => ({ name: 'x' })) });

describe('decisions for other servers', () => {
  it('charges the estimate, and refunds the difference to the data of the response', async () => {
    const before = await here.left('ann');
    const decision = await here.decide();
    expect(decision).toMatchObject({ admitted: true, status: 200, cost: 10, degraded: false, delayMs: 0 });
    expect(decision.headers['x-ratelimit-cost']).toBe('10');
    expect(decision.extensions.cost.requestedQueryCost).toBe(10);
    expect(await here.left('ann')).toBe(before - 10);
    const settled = await here.settle({ receipt: decision.receipt, data: items(4) });
    expect(settled).toMatchObject({ settled: true, repeated: false, requestedCost: 10, actualCost: 4 });
    expect(settled.extensions.cost.actualQueryCost).toBe(4);
    expect(await here.left('ann')).toBe(before - 4);
  });

  it('adds a header with the score: the estimate, then the actual cost, and none to a denial', async () => {
    const subject = { user: 'scored' };
    const [first, second] = [await here.decide({ subject }), await here.decide({ subject })];
    expect(first.headers['X-GraphQL-Score']).toBe('10');
    expect((await here.settle({ receipt: first.receipt, data: items(2) })).headers['X-GraphQL-Score']).toBe('2');
    expect((await there.settle({ receipt: second.receipt, actualCost: 3 })).headers['X-GraphQL-Score']).toBe('3');
    const denied = await here.decide({ subject, variables: { first: 999 } });
    expect(denied).toMatchObject({ admitted: false });
    expect(denied.headers['X-GraphQL-Score']).toBeUndefined();
  });

  it('settles a receipt once, whatever later settlements contain', async () => {
    const { receipt } = await here.decide({ subject: { user: 'once' } });
    const first = await here.settle({ receipt, actualCost: 6 });
    const again = await Promise.all([1, 2, 3].map(() => here.settle({ receipt, actualCost: 0 })));
    for (const one of again) expect(one).toEqual({ ...first, repeated: true });
    expect(await there.settle({ receipt, actualCost: 0 })).toMatchObject({ settled: false, reason: 'ALREADY_SETTLED' });
    expect(await here.left('once')).toBe(994);
  });

  it('settles at another instance, and then no more at the one that decided', async () => {
    const { receipt } = await here.decide({ subject: { user: 'moved' } });
    const settled = await there.settle({ receipt, actualCost: 3, addedCost: 2 });
    expect(settled).toMatchObject({ settled: true, requestedCost: 10, actualCost: 5 });
    expect(await here.left('moved')).toBe(995);
    expect(await here.settle({ receipt, actualCost: 0 })).toMatchObject({ settled: false, reason: 'ALREADY_SETTLED' });
    expect(await here.left('moved')).toBe(995);
  });

  it('settles once if all instances settle at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const user = `race-${round}`;
      const { receipt } = await here.decide({ subject: { user } });
      const all = [here, there, there, here].map((one) => one.settle({ receipt, actualCost: 4 }));
      await Promise.all(all);
      expect(await here.left(user)).toBe(996);
    }
  });

  it('charges more than the estimate if the actual cost is higher', async () => {
    const { receipt } = await here.decide({ subject: { user: 'more' } });
    await there.settle({ receipt, actualCost: 25 });
    expect(await here.left('more')).toBe(975);
  });

  it('refunds an operation that never ran, and keeps the estimate of one without a result', async () => {
    const never = await here.decide({ subject: { user: 'never' } });
    expect(await there.settle({ receipt: never.receipt, hasNotRun: true })).toMatchObject({ actualCost: 0 });
    expect(await here.left('never')).toBe(1000);
    const lost = await here.decide({ subject: { user: 'lost' } });
    expect(await here.settle({ receipt: lost.receipt })).toMatchObject({ settled: true, actualCost: 10 });
    expect(await here.left('lost')).toBe(990);
  });

  it('does not settle a receipt after its time', async () => {
    const { receipt } = await here.decide({ subject: { user: 'late' }, settleWithinMs: 100 });
    const expiresAtMs = Date.now() + 100;
    await until('the receipt has expired', () => Date.now() > expiresAtMs);
    for (const one of [here, there])
      expect(await one.settle({ receipt, actualCost: 0 })).toMatchObject({ settled: false, reason: 'EXPIRED' });
    expect(await here.left('late')).toBe(990);
  });

  it('answers a denial with the status, the headers and the errors for the client', async () => {
    await here.decide({ subject: { user: 'poor' }, variables: { first: 995 } });
    const denied = await here.decide({ subject: { user: 'poor' } });
    expect(denied).toMatchObject({ admitted: false, status: 429, cost: 10 });
    expect(denied.receipt).toBeUndefined();
    expect(Number(denied.headers['retry-after'])).toBeGreaterThan(0);
    expect(denied.errors[0].extensions.code).toBe('THROTTLED');
  });

  it('charges the fee for an operation that is invalid, and for variables that are', async () => {
    for (const members of [{ query: '{ nothing }' }, { query: '{' }, { query: 5 }, { variables: 'x' }]) {
      const before = await here.left('wrong');
      const rejected = await here.decide({ subject: { user: 'wrong' }, ...members });
      expect(rejected).toMatchObject({ admitted: false, status: 400 });
      expect(await here.left('wrong')).toBe(before - 1);
    }
  });

  it('decides a batch in the order of its items', async () => {
    const of = (user: string, first: number) => ({ query: ITEMS_QUERY, variables: { first }, subject: { user } });
    const { body } = await here.ask('/v1/decide', [of('b1', 1), of('b2', 2000), of('b3', 3)]);
    expect(body.map(({ admitted }: { admitted: boolean }) => admitted)).toEqual([true, false, true]);
    const receipts = [body[0], body[2]].map(({ receipt }) => ({ receipt, actualCost: 0 }));
    const { body: settled } = await there.ask('/v1/settle', receipts);
    expect(settled.map((one: { settled: boolean }) => one.settled)).toEqual([true, true]);
    expect(await here.left('b3')).toBe(1000);
  });

  it('names every mistake of a wrong request, and decides nothing', async () => {
    const { status, body } = await here.ask('/v1/decide', [
      { query: '{ item { name } }', subject: { user: 'ok' } },
      { query: '{ item { name } }', subject: {}, settleWithinMs: 5, extra: 1 },
      { query: '{ item { name } }' },
    ]);
    expect(status).toBe(400);
    expect(body.errors[0].extensions.mistakes).toEqual([
      '[1].subject: expected at least one member',
      '[1].settleWithinMs: expected a whole number from 100 to 600000, got 5',
      '[1]: Unrecognized key: "extra"',
      '[2].subject: expected subject, headers or address, which identify the caller',
    ]);
    expect(await here.left('ok')).toBe(1000);
  });

  it('registers a document by its id, which later requests send without the text', async () => {
    const { createHash } = await import('node:crypto');
    const documentId = createHash('sha256').update(ITEMS_QUERY).digest('hex');
    const unknown = await here.decide({ query: undefined, documentId, subject: { user: 'kept' } });
    expect(unknown).toMatchObject({ admitted: false, errors: [{ message: 'PersistedQueryNotFound' }] });
    await here.decide({ documentId, subject: { user: 'kept' } });
    const known = await there.decide({
      query: undefined,
      documentId: `sha256:${documentId}`,
      subject: { user: 'kept' },
    });
    expect(known).toMatchObject({ admitted: true, cost: 10 });
    const wrong = await here.decide({ documentId: '0'.repeat(64), subject: { user: 'kept' } });
    expect(wrong).toMatchObject({ admitted: false, status: 400 });
  });

  it('identifies a caller by headers in any case, for decisions and previews', async () => {
    const headers = { 'X-API-Key': 'tg_unknown' };
    expect(await here.decide({ subject: undefined, headers })).toMatchObject({ admitted: false, status: 401 });
    const peeked = await here.ask('/v1/peek', { query: ITEMS_QUERY, variables: { first: 1 }, headers });
    expect(peeked.status).toBe(401);
  });

  it('prices an operation without charging it', async () => {
    const { body } = await here.ask('/v1/price', { query: ITEMS_QUERY, variables: { first: 7 } });
    expect(body).toMatchObject({ cost: 7 });
  });
});

const ITEMS_QUERY = 'query ($first: Int!) { items(first: $first) { name } }';
