import { type ExecutionResult, parse, subscribe } from 'graphql';
import { expect, it } from 'vitest';
import { createAdminContext } from '../../src/admin/context/admin-context.js';
import { createAdminSchema } from '../../src/admin/create-admin-schema.js';
import type { DecisionRecord } from '../../src/model/decision-record.js';
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
