import { expect, inject, it, onTestFinished } from 'vitest';
import { limitOn, serveSockets } from '../graphql-ws/socket-api.js';
import { streamsAdmin } from '../graphql-ws/streams-admin.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { redisDatabase, uniqueName } from '../helpers/servers.js';
import { openServerDatabase } from '../postgres/databases.js';
import { countCases } from './serve.js';

/** An address that no other test uses. */
const IP = '198.51.100.52';

it('A51: an end by the names of one caller ends no subscription of another, and a VIEWER ends none', async (context) => {
  const database = await openServerDatabase();
  onTestFinished(() => database.dispose());
  const name = uniqueName('ann');
  const api = await serveSockets({
    redis: redisDatabase(inject('redisUrl'), 4),
    postgres: database.url,
    usage: false,
    deadlineMs: PATIENT_MS,
    rules: [limitOn('SUBSCRIPTIONS', 50)],
    identify: ({ header }) => JSON.parse(header('x-subject') ?? '{}') as object,
  });
  const admin = streamsAdmin(api.tollgate);
  // Names that another caller could have chosen to be taken for the first one.
  const others = [{ user: name, tenant: 'acme' }, { user: `${name} ` }, { user: name.toUpperCase() }, { tenant: name }];
  const subscribe = async (subject: object) => {
    const client = await api.connect({ headers: { 'x-subject': JSON.stringify({ ip: IP, ...subject }) } });
    client.subscribe('1', `subscription ${'x'.repeat(5000)} { ticks }`);
    return client;
  };
  const mine = await subscribe({ user: name });
  const theirs = await Promise.all(others.map(subscribe));
  await admin.listed(10, { ip: IP }, 1);

  const denied = await admin.endAsViewer({ user: name });
  expect(denied).toMatchObject({ data: { openStreamsEnd: null }, errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  expect((await admin.list({ user: name })).totalCount).toBe(2);

  expect(await admin.end({ user: name })).toMatchObject({ ended: 2 });
  await mine.hasClosed();
  const { nodes } = await admin.listed(8, { ip: IP }, 1);
  expect(theirs.every(({ closed }) => closed === undefined)).toBe(true);
  // The names in the list are bounded, whatever a client sends.
  expect(Math.max(...nodes.map(({ operation }) => operation?.length ?? 0))).toBeLessThanOrEqual(200);
  countCases(context, others.length + 2);
});
