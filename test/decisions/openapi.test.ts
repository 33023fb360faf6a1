import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN } from '../helpers/platform.js';
import { type Decider, type DeciderWorld, type Json, openWorld } from './decider.js';

let world: DeciderWorld;
let decider: Decider;
beforeAll(async () => {
  world = await openWorld();
  decider = await world.start({ TOLLGATE_SCORE_HEADER: 'X-GraphQL-Score' });
});
afterAll(() => world.end());

const CLIENTS = fileURLToPath(new URL('../../docs/clients/', import.meta.url));

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

describe('the OpenAPI document', () => {
  it('has schemas that a validator accepts, and that describe requests and responses', async () => {
    const document = (await (await fetch(`${decider.url}/v1/openapi.json`)).json()) as Json;
    expect(document.openapi).toBe('3.1.0');
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false });
    const query = { query: 'query ($first: Int!) { items(first: $first) { name } }', variables: { first: 4 } };
    const samples: Record<string, object> = {
      '/v1/decide': { ...query, subject: { user: 'ann' } },
      '/v1/peek': { ...query, headers: { 'x-client': ['a', 'b'] } },
      '/v1/price': query,
    };
    const { receipt } = await decider.decide();
    samples['/v1/settle'] = { receipt, actualCost: 3 };
    expect(Object.keys(document.paths).sort()).toEqual(Object.keys(samples).sort());
    for (const [path, { post }] of Object.entries<Json>(document.paths)) {
      const accepts = ajv.compile(post.requestBody.content['application/json'].schema);
      const describes = ajv.compile(post.responses[200].content['application/json'].schema);
      for (const request of [samples[path], [samples[path]]]) {
        expect(accepts(request), `${path} ${JSON.stringify(accepts.errors)}`).toBe(true);
        const { status, body } = await decider.ask(path, request);
        expect(status).toBe(200);
        expect(describes(body), `${path} ${JSON.stringify(describes.errors)}`).toBe(true);
      }
      expect(accepts({ ...samples[path], unknown: 1 }), path).toBe(false);
    }
  });

  it('adds the header with the score if it is configured', async () => {
    const { headers, receipt } = await decider.decide({ subject: { user: 'scored' } });
    expect(headers['X-GraphQL-Score']).toBe('10');
    expect((await decider.settle({ receipt, actualCost: 2 })).headers['X-GraphQL-Score']).toBe('2');
  });
});

describe('example clients', () => {
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

  it('the middleware for ASGI sends the response with its cost, and the denial', async () => {
    const output = await python(`
import asyncio, json, os
from asgi import Budget

async def app(scope, receive, send):
    sent = json.loads((await receive())["body"])
    items = [{"name": "x"}] * (sent["variables"]["first"] // 2)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": json.dumps({"data": {"items": items}}).encode()})

async def ask(first):
    body = json.dumps({"query": "query ($first: Int!) { items(first: $first) { name } }", "variables": {"first": first}}).encode()
    sent = []
    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}
    async def send(message):
        sent.append(message)
    scope = {"type": "http", "method": "POST", "headers": [], "client": ("198.51.100.20", 1)}
    await budget(scope, receive, send)
    extensions = json.loads(sent[1]["body"])["extensions"]
    headers = dict(sent[0]["headers"])
    print(sent[0]["status"], extensions["cost"]["actualQueryCost"], headers[b"x-ratelimit-remaining"].decode())

budget = Budget(app, port=int(os.environ["PORT"]), timeout=10)
asyncio.run(ask(10))
asyncio.run(ask(2000))
`);
    expect(output.trim().split('\n')).toEqual(['200 5 995', '400 None 994']);
  });
});
