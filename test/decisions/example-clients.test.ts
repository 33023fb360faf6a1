import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_TOKEN } from '../helpers/platform.js';
import { type Decider, type DeciderWorld, openWorld } from './decider.js';
import { CLIENTS } from './servers/start-server.js';

let world: DeciderWorld;
let decider: Decider;
beforeAll(async () => {
  world = await openWorld();
  const rules = [
    {
      name: 'one-at-a-time',
      scope: 'USER' as const,
      field: 'Query.slow',
      measure: 'REQUESTS' as const,
      limits: [{ algorithm: 'CONCURRENCY' as const, capacity: 1, leaseMs: 3_600_000 }],
    },
  ];
  decider = await world.start({ TOLLGATE_TRUSTED_PROXIES: '1' }, { rules });
});
afterAll(() => world.end());

/** Runs a Python program that may import the example clients. Resolves to its output. */
function python(program: string): Promise<string> {
  const { host, port } = new URL(decider.url);
  const env = {
    ...process.env,
    PYTHONPATH: CLIENTS,
    PYTHONDONTWRITEBYTECODE: '1',
    TOLLGATE_TOKEN: ADMIN_TOKEN,
    HOST: host,
    PORT: port,
  };
  const child = spawn('python3', ['-c', program], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
  return new Promise((resolve) => child.once('close', () => resolve(output)));
}

it('the client for Python decides and settles', async () => {
  const output = await python(`
import os
from decide import Tollgate
tollgate = Tollgate(port=int(os.environ["PORT"]), timeout=10)
decision = tollgate.decide("query ($first: Int!) { items(first: $first) { name } }", {"first": 10}, subject={"user": "py"})
settled = tollgate.settle(decision["receipt"], data={"items": [{"name": "x"}]})
print(decision["admitted"], decision["cost"], settled["actualCost"], tollgate.settle(decision["receipt"], actualCost=0)["repeated"])
`);
  expect(output.trim()).toBe('True 10 1 True');
  expect(await decider.left('py')).toBe(999);
});

/** Program with an ASGI application and a request to the middleware in front of it. */
const ASGI = `
import asyncio, json, os
from asgi import Budget

JSON = (b"content-type", b"application/json")

async def app(scope, receive, send):
    sent = json.loads((await receive())["body"])
    if sent["operationName"] == "Fails":
        raise KeyError("the server has failed")
    first = (sent["variables"] or {}).get("first", 0)
    data = {"items": [{"name": "x"}] * (first // 2)} if first else {"slow": None}
    body = b"no JSON" if sent["operationName"] == "Text" else json.dumps({"data": data}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})

async def ask(sent, headers=[JSON], client=("198.51.100.20", 1), budget=None, **scope):
    body = json.dumps(sent).encode()
    messages = [{"type": "http.request", "body": body, "more_body": False}]
    answer = []
    async def receive():
        return messages.pop() if messages else await asyncio.Event().wait()
    async def send(message):
        answer.append(message)
    scope = {"type": "http", "method": "POST", "headers": headers, "client": client, **scope}
    await (budget or BUDGET)(scope, receive, send)
    return answer[0]["status"], dict(answer[0]["headers"]), answer[1]["body"]

def items(first, name=None):
    query = "query Items($first: Int!) { items(first: $first) { name } } query Text($first: Int!) { items(first: $first) { name } }"
    return {"query": query, "variables": {"first": first}, "operationName": name or "Items"}

BUDGET = Budget(app, port=int(os.environ["PORT"]), timeout=10)
`;

it('the middleware for ASGI sends the response with its cost, and the denial', async () => {
  const output = await python(`${ASGI}
async def show(first):
    status, headers, body = await ask(items(first))
    print(status, json.loads(body)["extensions"]["cost"]["actualQueryCost"], headers[b"x-ratelimit-remaining"].decode())

async def main():
    await show(10)
    await show(2000)

asyncio.run(main())
`);
  expect(output.trim().split('\n')).toEqual(['200 5 995', '400 None 994']);
});

it('the middleware for ASGI runs no operation that it cannot decide about', async () => {
  const output = await python(`${ASGI}
async def main():
    print((await ask(items(1), headers=[(b"content-type", b"text/plain")]))[0])
    print((await ask(items(1), method="GET"))[0])
    print((await ask({"query": "x" * 200_000}))[0])
    print((await ask(items(1), budget=Budget(app, port=1)))[0])
    print((await ask(items(1), budget=Budget(app, port=int(os.environ["PORT"]), token="wrong", timeout=10)))[0])

asyncio.run(main())
`);
  expect(output.trim().split('\n')).toEqual(['415', '405', '413', '503', '503']);
});

it('the middleware for ASGI frees the slot of an operation that failed, and sends responses that are no JSON', async () => {
  const output = await python(`${ASGI}
async def main():
    behind = {"headers": [JSON, (b"x-forwarded-for", b"198.51.100.21")], "client": None}
    query = "query Fails { slow { name } } query Slow { slow { name } }"
    try:
        await ask({"query": query, "operationName": "Fails"}, **behind)
    except KeyError:
        print("failed")
    print((await ask({"query": query, "operationName": "Slow"}, **behind))[0])
    status, headers, body = await ask(items(4, "Text"), **behind)
    print(status, body.decode())

asyncio.run(main())
`);
  expect(output.trim().split('\n')).toEqual(['failed', '200', '200 no JSON']);
  const { body } = await decider.ask('/v1/peek', {
    query: '{ item { name } }',
    headers: { 'x-forwarded-for': '198.51.100.21' },
  });
  // The failed operation, the slow one, and the response without a known cost: its estimate.
  expect(body.limits.find(({ rule }: { rule: string }) => rule === 'tier:small').remaining).toBe(1000 - 1 - 1 - 4);
});
