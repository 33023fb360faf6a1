import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSchema, GraphQLError } from 'graphql';
import { afterEach, expect, test } from 'vitest';
import type { ApiContext } from '../../src/server/api-context.js';
import { knowCallers } from '../../src/server/know-callers.js';
import { openTollgate } from '../../src/tollgate/create-tollgate.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Handles one real HTTP request and counts how often its credentials are read. */
async function handleOne(
  headers: Record<string, string>,
  handle: (request: IncomingMessage, callers: ReturnType<typeof knowCallers>, protect: Protect) => Promise<unknown>,
) {
  const tollgate = await openTollgate<ApiContext>(
    { schema: buildSchema('type Query { a: Int }'), logger: { info() {}, warn() {}, error() {} } },
    {
      subjectOf: ({ subject }) => subject,
      ignored: { keys: false, tokens: false },
      trustedProxiesName: 'TOLLGATE_TRUSTED_PROXIES',
    },
  );
  closers.push(() => tollgate.close());
  const callers = knowCallers(tollgate, { trustedProxies: 0 });
  let reads = 0;
  let handled: unknown;
  const server = createServer(async (request, response) => {
    request.headers = new Proxy(request.headers, {
      get(target, name) {
        if (name === 'x-api-key') reads++;
        return Reflect.get(target, name);
      },
    });
    handled = await handle(request, callers, tollgate.protect);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { headers }).then((one) => one.text());
  return { handled, reads };
}

type Protect = Awaited<ReturnType<typeof openTollgate<ApiContext>>>['protect'];

test('an anonymous request is identified once, and its address is charged', async () => {
  const { handled, reads } = await handleOne({}, async (request, { identify }, protect) => {
    const subject = await identify(request);
    const clientGone = new AbortController().signal;
    const asked = await protect({ query: '{ a }', contextValue: { subject, clientGone } });
    return { subject, admitted: asked.admitted };
  });
  expect(handled).toEqual({ subject: { ip: '127.0.0.1' }, admitted: true });
  expect(reads).toBe(1);
});

test('a request with an invalid key is identified once, is rejected, and its address pays the fee', async () => {
  const { handled, reads } = await handleOne({ authorization: 'Basic abc' }, async (request, { identify, reject }) => {
    const error = await identify(request).catch((thrown: unknown) => thrown);
    return reject(request, [error as GraphQLError]);
  });
  expect(handled).toMatchObject({
    status: 401,
    feePaid: true,
    body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }], extensions: { cost: { fee: 1 } } },
  });
  expect(reads).toBe(1);
});
