import { type ExecutionResult, execute, parse, subscribe } from 'graphql';
import { expect, it } from 'vitest';
import { createAdminContext } from '../../src/admin/context/admin-context.js';
import { createAdminSchema } from '../../src/admin/create-admin-schema.js';
import type { DecisionRecord } from '../../src/model/decision-record.js';
import { createAddressUsers } from '../../src/observability/live/address-users.js';
import { createLiveTraffic } from '../../src/observability/live/live-traffic.js';
import { UNUSED_SOURCES } from './unused-sources.js';

it('live traffic shows the kind and name of callers, but rejects `subject`, which needs the database', async () => {
  const traffic = createLiveTraffic({ everyMs: 10 });
  const schema = createAdminSchema({ ...UNUSED_SOURCES, watchTraffic: traffic.watch });
  const results = (await subscribe({
    schema,
    document: parse('subscription { liveTraffic { callers { caller { kind name subject { id } } } } }'),
    contextValue: createAdminContext({ actor: { name: 'ann', authMethod: 'SERVER' }, role: 'VIEWER' }, UNUSED_SOURCES),
  })) as AsyncGenerator<ExecutionResult>;
  const next = results.next();
  traffic.observer.onSettled?.({ subject: { user: '42', tenant: 'acme' } } as DecisionRecord, 3);
  const { value } = await next;
  await results.return(undefined);
  await traffic.close();
  expect(JSON.parse(JSON.stringify(value))).toMatchObject({
    data: { liveTraffic: { callers: [{ caller: { kind: 'USER', name: '42', subject: null } }] } },
    errors: [
      { message: expect.stringContaining('subscriptions cannot select it'), extensions: { code: 'BAD_USER_INPUT' } },
    ],
  });
});

it('`addresses` reads all rules per address, also those after the first thousand', async () => {
  const addressUsers = createAddressUsers();
  const traffic = createLiveTraffic({ addressUsers });
  for (let user = 0; user < 12; user++) {
    addressUsers.onDecision({ subject: { user: `${user}`, ip: '192.0.2.1' } } as DecisionRecord);
  }
  const rule = { scope: 'IP', measure: 'REQUESTS', mode: 'ENFORCE', action: { type: 'REJECT' }, rolloutPercent: 100 };
  const rules = Array.from({ length: 2001 }, (_, index) => {
    const match = index === 2000 ? {} : { addresses: ['198.51.100.7'] };
    return { ...rule, id: `${index + 1}`, name: `rule ${index}`, field: `Query.f${index}`, match };
  });
  const pageRules = async (_filter: unknown, { after, limit }: { after: number; limit: number }) =>
    rules.slice(after, after + limit) as never;
  const sources = {
    ...UNUSED_SOURCES,
    store: { ...UNUSED_SOURCES.store, pageRules },
    sharedAddresses: traffic.sharedAddresses,
  };
  const contextValue = createAdminContext({ actor: { name: 'ann', authMethod: 'SERVER' }, role: 'VIEWER' }, sources);
  const document = parse('{ addresses { addresses { exemptions { field } } } }');
  const { data } = await execute({ schema: createAdminSchema(sources), document, contextValue });
  expect(data).toMatchObject({ addresses: { addresses: [{ exemptions: [{ field: 'Query.f2000' }] }] } });
  await traffic.close();
});

it('`addresses` lists the addresses with enough users, and the rules that exempt them from limits per address', async () => {
  const addressUsers = createAddressUsers();
  const traffic = createLiveTraffic({ addressUsers });
  for (let user = 0; user < 12; user++) {
    addressUsers.onDecision({ subject: { user: `${user}`, ip: '192.0.2.1' } } as DecisionRecord);
    if (user < 3) addressUsers.onDecision({ subject: { user: `${user}`, ip: '192.0.2.2' } } as DecisionRecord);
  }
  const rule = { name: 'per address', scope: 'IP', field: '*', measure: 'REQUESTS', mode: 'ENFORCE' };
  const rules = [{ ...rule, match: {}, action: { type: 'REJECT' }, rolloutPercent: 100 }];
  const sources = {
    ...UNUSED_SOURCES,
    store: { ...UNUSED_SOURCES.store, pageRules: async () => rules as never },
    sharedAddresses: traffic.sharedAddresses,
  };
  const contextValue = createAdminContext({ actor: { name: 'ann', authMethod: 'SERVER' }, role: 'VIEWER' }, sources);
  const run = async (query: string) =>
    JSON.parse(
      JSON.stringify(await execute({ schema: createAdminSchema(sources), document: parse(query), contextValue })),
    );
  const { data } = await run('{ addresses { processes addresses { address users isEstimate exemptions { yaml } } } }');
  expect(data.addresses).toMatchObject({
    processes: 1,
    addresses: [{ address: '192.0.2.1', users: 12, isEstimate: false, exemptions: [{}] }],
  });
  expect(data.addresses.addresses[0].exemptions[0].yaml).toContain('match: { addresses: ["192.0.2.1"] }');
  const all = await run('{ addresses(minUsers: 1) { addresses { users } } }');
  expect(all.data.addresses.addresses).toEqual([{ users: 12 }, { users: 3 }]);
  for (const [args, message] of [
    ['first: 0', 'first: expected a whole number from 1 to 100, got 0'],
    ['first: 101', 'first: expected a whole number from 1 to 100, got 101'],
    ['minUsers: 0', 'minUsers: expected a whole number of at least 1, got 0'],
  ]) {
    const { errors } = await run(`{ addresses(${args}) { processes } }`);
    expect(errors[0].message).toBe(message);
  }
  await traffic.close();
});
