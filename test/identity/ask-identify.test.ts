import { expect, test } from 'vitest';
import { askIdentify } from '../../src/identity/ask-identify.js';
import { createCallerIdentification } from '../../src/identity/caller-identification.js';
import { type ApiContext, protectedApi } from '../helpers/testkit.js';

const asked = { header: () => undefined, contextValue: {} };

test('the refund of an operation that changes its caller, such as a login, goes to the caller that was charged', async () => {
  const api = await protectedApi({
    schema: `type Query { item: Item } type Item { n: Int } type Mutation { login(as: String!): [Item!]! @listSize(assumedSize: 20) }`,
    resolvers: {
      Mutation: {
        login(_, { as }, { subject }: ApiContext) {
          subject.user = as;
          return [];
        },
      },
    },
  });
  const before = await api.left();
  const answer = await api.ask('mutation { login(as: "other") { n } }');
  expect(answer.errors).toBeUndefined();
  const { requestedQueryCost, actualQueryCost } = answer.cost;
  expect(actualQueryCost).toBeLessThan(requestedQueryCost);
  expect(await api.left()).toBe(before - actualQueryCost);
});

test('a later change of the object from `identify` does not change the caller', async () => {
  const session = { user: 'ann', tenant: 'acme' };
  const identify = askIdentify(
    () => session,
    () => {},
    1000,
  );
  const found = await identify(asked);
  session.user = 'bob';
  expect(found).toEqual({ user: 'ann', tenant: 'acme' });
});

test('`identify` may return an object of a class, with and without an address in the request', async () => {
  class Session {
    get user() {
      return 'ann';
    }
  }
  for (const req of [undefined, { headers: {}, socket: { remoteAddress: '192.0.2.1' } }]) {
    const { identification: identify } = await createCallerIdentification<{ req: unknown }>({
      identify: () => new Session(),
      identity: undefined,
      subjects: undefined,
      logger: { info() {}, warn() {}, error() {} },
      onIdentifyFailed() {},
    });
    expect(await identify({ ...asked, contextValue: { req } })).toMatchObject({ user: 'ann' });
  }
});
