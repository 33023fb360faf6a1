import { buildSchema } from 'graphql';
import { afterEach, expect, test } from 'vitest';
import type { RuleInput } from '../../../src/index.js';
import { cutReason } from '../../../src/protection/connections/close-codes.js';
import { findPolicyMistakes } from '../../../src/rules/policy/parse-policy.js';
import { openTollgate } from '../../../src/tollgate/create-tollgate.js';
import type { TollgateOptions } from '../../../src/tollgate/tollgate-options.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { until } from '../../helpers/until.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const slots = (capacity: number, leaseMs = 60_000) => ({ algorithm: 'CONCURRENCY' as const, capacity, leaseMs });

const sockets = (more: Partial<RuleInput> = {}): RuleInput => ({
  name: 'sockets',
  scope: 'USER',
  field: '*',
  measure: 'CONNECTIONS',
  limits: [slots(2)],
  ...more,
});

async function serve(rules: RuleInput[], options: Partial<TollgateOptions> = {}) {
  const tollgate = await openTollgate<object>(
    {
      schema: buildSchema('type Query { a: Int } type Subscription { b: Int }'),
      identify: () => ({ user: 'ann', ip: '192.0.2.1' }),
      rules,
      logger: { info() {}, warn() {}, error() {} },
      ...options,
    },
    undefined,
  );
  open.push(() => tollgate.close());
  const used = async (rule = 'sockets') =>
    (await tollgate.quota({ user: 'ann', ip: '192.0.2.1' })).find((entry) => entry.rule === rule)?.used;
  const connect = (subject = { user: 'ann', ip: '192.0.2.1' }, end = () => {}) =>
    tollgate.connections.open({ subject, end });
  return { tollgate, connect, used };
}

test('connections of a caller are limited, a denial is a 429 with Retry-After, and a closed one frees its slot once', async () => {
  const { connect, used } = await serve([sockets()]);
  const first = await connect();
  const second = await connect();
  const third = await connect();
  if (!first.admitted || !second.admitted || third.admitted) throw new Error('expected two connections');
  expect(third.answer).toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    body: {
      errors: [
        {
          message: expect.stringContaining('2 connections at a time per caller: all in use'),
          extensions: { code: 'THROTTLED', deniedBy: 'sockets', unit: 'CONNECTIONS', limit: 2, isConcurrency: true },
        },
      ],
    },
  });
  first.close();
  first.close();
  await until('one slot is used', async () => (await used()) === 1, PATIENT_MS);
  expect(await connect()).toMatchObject({ admitted: true });
  expect(await connect()).toMatchObject({ admitted: false });
});

test('limits per address and per caller apply together, and a denied connection takes no slot of either', async () => {
  const { connect, used } = await serve([
    sockets({ name: 'per-address', scope: 'IP', limits: [slots(3)] }),
    sockets({ limits: [slots(2)] }),
  ]);
  await connect();
  await connect();
  expect(await connect()).toMatchObject({ admitted: false });
  expect(await used('per-address')).toBe(2);
  expect(await connect({ user: 'ben', ip: '192.0.2.1' })).toMatchObject({ admitted: true });
  expect(await connect({ user: 'cleo', ip: '192.0.2.1' })).toMatchObject({
    admitted: false,
    error: { extensions: { deniedBy: 'per-address' } },
  });
});

test('operations take no slot of a limit on connections, and connections none of other limits', async () => {
  const { tollgate, connect, used } = await serve([
    sockets(),
    { name: 'in-flight', scope: 'USER', field: '*', measure: 'REQUESTS', limits: [slots(5)] },
  ]);
  const asked = await tollgate.protect({ query: '{ a }', contextValue: {} });
  expect(asked.admitted).toBe(true);
  expect([await used(), await used('in-flight')]).toEqual([0, 1]);
  await connect();
  expect([await used(), await used('in-flight')]).toEqual([1, 1]);
});

test('a rule in shadow mode denies no connection', async () => {
  const { connect } = await serve([sockets({ mode: 'SHADOW', limits: [slots(1)] })]);
  await connect();
  expect(await connect()).toMatchObject({ admitted: true });
  const shadowed = await serve([sockets({ limits: [slots(1)] })], { mode: 'SHADOW' });
  await shadowed.connect();
  expect(await shadowed.connect()).toMatchObject({ admitted: true });
});

test('when the server stops, every open connection is asked to end', async () => {
  const { tollgate, connect } = await serve([sockets()]);
  const ended: string[] = [];
  const first = await connect(undefined, () => ended.push('first'));
  await connect({ user: 'ben', ip: '192.0.2.2' }, () => ended.push('second'));
  if (!first.admitted) throw new Error('expected a connection');
  first.close();
  open.length = 0;
  await tollgate.close();
  expect(ended).toEqual(['second']);
});

test.each([
  [
    { field: 'Query.a' },
    'field: CONNECTIONS counts connections, which have no fields: expected field "*", got Query.a',
  ],
  [
    { field: undefined, fields: ['Query.a', 'Query.b'] },
    'fields: CONNECTIONS counts connections, which have no fields: expected field "*", got Query.a, Query.b',
  ],
  [
    { match: { operationTypes: ['QUERY'] } },
    'match.operationTypes: CONNECTIONS counts connections, which open before their first operation: remove it',
  ],
  [
    { limits: [{ ...slots(1), maxWaitMs: 5 }] },
    'limits[0].maxWaitMs: a connection does not wait for a slot: remove it',
  ],
  [
    { limits: [{ algorithm: 'FIXED_WINDOW', amount: 1, windowMs: 60_000 }] },
    'limits[0].algorithm: CONNECTIONS counts open WebSocket connections: expected CONCURRENCY, got FIXED_WINDOW; to limit how many subscriptions are open, use the measure SUBSCRIPTIONS',
  ],
  [
    { limits: [slots(1, 2000)] },
    'limits[0].leaseMs: expected at least 3000, because slots of open WebSocket connections are renewed, got 2000',
  ],
])('a rule on connections with %j is rejected: %s', (more, message) => {
  const rule = sockets(more as Partial<RuleInput>);
  expect(findPolicyMistakes({ rules: [rule] }).join('\n')).toContain(message);
});

test.each([
  [
    { measure: 'CONNECTIONS' as const },
    'counts the subscriptions of a connection: expected the measure SUBSCRIPTIONS, got CONNECTIONS',
  ],
  [
    { measure: 'SUBSCRIPTIONS' as const, scope: 'GLOBAL' as const },
    'expected a scope of one caller, such as USER, got GLOBAL',
  ],
])('a limit per connection with %j is rejected: %s', (more, message) => {
  const rule = sockets({ ...more, limits: [{ ...slots(1), perConnection: true }] });
  expect(findPolicyMistakes({ rules: [rule] }).join('\n')).toContain(`limits[0].perConnection: ${message}`);
});

test('a limit per connection does not count operations without a connection, and is not part of the quota', async () => {
  const { tollgate, used } = await serve([
    sockets({ measure: 'SUBSCRIPTIONS', limits: [{ ...slots(1), perConnection: true }] }),
  ]);
  for (let index = 0; index < 2; index++) {
    const asked = await tollgate.protect({ query: 'subscription { b }', contextValue: {} });
    expect(asked.admitted).toBe(true);
  }
  expect(await used()).toBeUndefined();
});

test('the reason of a close frame has at most 123 bytes, and is cut between characters', () => {
  expect(cutReason('x'.repeat(123))).toBe('x'.repeat(123));
  expect(cutReason('ä'.repeat(100))).toBe('ä'.repeat(61));
  expect(cutReason(`x${'😀'.repeat(50)}`)).toBe(`x${'😀'.repeat(30)}`);
});
