import { ApolloServer } from '@apollo/server';
import { buildSchema, GraphQLError } from 'graphql';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';

const schema = buildSchema('type Query { a: Int }');

/**
 * Sends three operations. Returns the last response, the log lines, the failure counts of the
 * metrics and the number of resolver calls.
 */
async function askWith(identify: unknown, mode: 'ENFORCE' | 'SHADOW' = 'ENFORCE') {
  const logged: { err: Error; message: string }[] = [];
  const metrics = new Registry();
  let resolved = 0;
  const tollgate = await createTollgate({
    schema,
    mode,
    metrics,
    identify: identify as never,
    identifyTimeoutMs: 50,
    logger: {
      info() {},
      warn() {},
      error: (details, message) => void logged.push({ ...(details as { err: Error }), message }),
    },
  });
  const server = new ApolloServer({
    schema,
    rootValue: { a: () => ++resolved },
    plugins: [tollgate.plugin()],
    stopOnTerminationSignals: false,
    includeStacktraceInErrorResponses: false,
  });
  await server.start();
  onTestFinished(async () => {
    await server.stop();
    await tollgate.close();
  });
  const answers = [];
  for (let asked = 0; asked < 3; asked++)
    answers.push(await server.executeOperation({ query: '{ a }' }, { contextValue: {} }));
  const { body, http } = answers[2]!;
  const error = body.kind === 'single' ? body.singleResult.errors?.[0] : undefined;
  const counted = await metrics.getSingleMetric('tollgate_identify_failures_total')?.get();
  const failures = Object.fromEntries((counted?.values ?? []).map(({ labels, value }) => [labels['kind'], value]));
  return { status: http.status, error, logged, failures, resolved };
}

it.each([
  [
    'nothing',
    () => undefined,
    'expected an object such as { user: "ann" }, or {} for an anonymous caller, got undefined',
  ],
  ['null', () => null, 'got null'],
  ['a string', () => 'ann', 'got a string'],
  ['a number', () => 42, 'got a number'],
  ['a list', () => [{ user: 'ann' }], 'got a list'],
  ['a promise of nothing', async () => undefined, 'got undefined'],
  ['a promise of garbage', async () => 'secret-token', 'got a string'],
  [
    'an unknown member',
    () => ({ userId: 'ann' }),
    'expected only user, tenant, apiKey, keyKind, keyBudget, keyFields, ip, tier, bucket, billingAnchor, got userId; did you mean user?',
  ],
  ['a misspelled tier', () => ({ user: 'ann', teir: 'pro' }), 'got teir; did you mean tier?'],
  ['a number as a name', () => ({ user: 42 }), 'user: expected a string, such as String(id), got a number'],
  ['null as a name', () => ({ user: null }), 'user: expected a string, or undefined, got null'],
  [
    'a promise as a name',
    () => ({ user: Promise.resolve('ann') }),
    'user: expected a string, or undefined, got an object',
  ],
  [
    'an unknown kind of key',
    () => ({ user: 'ann', apiKey: 'k', keyKind: 'ROBOT' }),
    'keyKind: expected SERVICE or AGENT, got a string',
  ],
  [
    'a budget without a rate',
    () => ({ apiKey: 'k', keyBudget: { capacity: 5 } }),
    'keyBudget: expected { capacity, refillAmount, refillPeriodMs } of whole numbers, got an object',
  ],
  [
    'a budget without a key',
    () => ({ user: 'ann', keyBudget: { capacity: 5, refillAmount: 1, refillPeriodMs: 1 } }),
    'keyBudget: set apiKey too',
  ],
  [
    'a calendar budget with an unknown period',
    () => ({ apiKey: 'k', keyBudget: { calendar: { amount: 5, every: 'FORTNIGHT' } } }),
    'keyBudget: expected a valid calendar.every, got an object',
  ],
  [
    'a budget that is both a bucket and a calendar',
    () => ({ apiKey: 'k', keyBudget: { capacity: 5, calendar: { amount: 5, every: 'DAY' } } }),
    'keyBudget: expected only calendar, as { amount, every }, or a bucket, got an object',
  ],
  ['a budget that is a number', () => ({ apiKey: 'k', keyBudget: 100 }), 'of whole numbers, got a number'],
  [
    'fields as a string',
    () => ({ apiKey: 'k', keyFields: 'Query.user' }),
    'keyFields: expected a list of fields such as ["Query.user", "User.*"], got a string',
  ],
  ['a field without a type', () => ({ apiKey: 'k', keyFields: ['user'] }), 'keyFields: expected a list of fields'],
  ['a wildcard for all fields', () => ({ apiKey: 'k', keyFields: ['*'] }), 'keyFields: expected a list of fields'],
  [
    'a bucket without a rate',
    () => ({ user: 'ann', bucket: { capacity: 5 } }),
    'bucket: expected { capacity, refillAmount, refillPeriodMs } of whole numbers',
  ],
])('if identify returns %s, the response is 500 with the reason, it is logged once and counted, and nothing runs', async (_, identify, expected) => {
  const { status, error, logged, failures, resolved } = await askWith(identify);
  expect(status).toBe(500);
  expect(error?.extensions?.['code']).toBe('IDENTIFY_FAILED');
  expect(error?.message).toContain(`The server could not identify the caller: `);
  expect(error?.message).toContain(expected);
  expect(logged).toEqual([{ err: expect.any(TypeError), message: expect.stringContaining('IDENTIFY_FAILED') }]);
  expect(logged[0]?.err.message).toContain(expected);
  expect(JSON.stringify([error?.message, logged[0]?.err.message])).not.toContain('secret');
  expect(failures).toEqual({ threw: 0, answer: 3, timeout: 0 });
  expect(resolved).toBe(0);
});

it.each([
  [
    'throws',
    () => {
      throw new Error('the password of the session store is hunter2');
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('the password of the session store is hunter2');
    },
  ],
  [
    'returns an object that throws when it is read',
    () =>
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('hunter2');
          },
        },
      ),
  ],
  [
    'returns a foreign promise that rejects',
    // biome-ignore lint/suspicious/noThenProperty: the test needs a thenable.
    () => ({ then: (_: unknown, reject: (error: Error) => void) => reject(new Error('hunter2')) }),
  ],
])('if identify %s, the response is 500, and the reason is in the log but not in the response', async (_, identify) => {
  const { status, error, logged, failures, resolved } = await askWith(identify);
  expect(status).toBe(500);
  expect(error?.extensions?.['code']).toBe('IDENTIFY_FAILED');
  expect(JSON.stringify(error)).not.toContain('hunter2');
  expect(logged).toHaveLength(1);
  expect(logged[0]?.err.stack).toContain('hunter2');
  expect(failures).toEqual({ threw: 3, answer: 0, timeout: 0 });
  expect(resolved).toBe(0);
});

it('if identify never settles, the response is 503 after the timeout, it is logged once and counted, and nothing runs', async () => {
  const late: (() => void)[] = [];
  const { status, error, logged, failures, resolved } = await askWith(
    () => new Promise((answer) => late.push(() => answer({ user: 'ann' }))),
  );
  expect(status).toBe(503);
  expect(error).toMatchObject({
    message: 'The server could not identify the caller: it did not answer within 50 ms',
    extensions: { code: 'IDENTIFY_FAILED' },
  });
  expect(failures).toEqual({ threw: 0, answer: 0, timeout: 3 });
  expect(logged).toHaveLength(1);
  for (const answer of late) answer();
  await new Promise(setImmediate);
  expect(resolved).toBe(0);
});

it('a GraphQLError from identify reaches the caller, and an error with status 401 becomes UNAUTHENTICATED', async () => {
  const own = await askWith(() => {
    throw new GraphQLError('Your session has ended', { extensions: { code: 'SESSION_ENDED', http: { status: 403 } } });
  });
  expect(own).toMatchObject({ status: 403, error: { message: 'Your session has ended' }, logged: [] });
  const rejected = await askWith(() => {
    throw Object.assign(new Error('hunter2'), { status: 401 });
  });
  expect(rejected).toMatchObject({ status: 401, error: { extensions: { code: 'UNAUTHENTICATED' } }, logged: [] });
  expect(rejected.error?.message).not.toContain('hunter2');
  expect(rejected.failures).toEqual({ threw: 0, answer: 0, timeout: 0 });
});

it('if identify returns nothing, the operation is rejected even in shadow mode', async () => {
  expect(await askWith(() => undefined, 'SHADOW')).toMatchObject({ status: 500, resolved: 0 });
});

it.each([
  {},
  { user: '' },
  { user: undefined },
  { user: 'ann', tenant: 'acme', apiKey: 'k', ip: '::1', tier: 'default' },
])('a valid result of identify is accepted: %j', async (found) => {
  expect(await askWith(() => found)).toMatchObject({ error: undefined, logged: [], resolved: 3 });
});
