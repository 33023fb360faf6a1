import { mkdtempSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../helpers/until.js';
import { type OpenGateway, openGateway, serveUpstream, TYPES, type UpstreamServer } from './gateway.js';

const QUERY = '{ item { name } ... @defer { items(first: 40) { name } } }';
const MULTIPART = { 'content-type': 'multipart/mixed; boundary="-"' };
const FIRST = '{"data":{"item":{"name":"x"}},"hasNext":true}';
const part = (json: string) => `\r\ncontent-type: application/json\r\n\r\n${json}\r\n---`;
const items = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ name: 'x' })));
const last = (count: number) => `{"incremental":[{"data":{"items":${items(count)}},"path":[]}],"hasNext":false}`;

describe('incremental responses', () => {
  let upstream: UpstreamServer;
  let gateway: OpenGateway;
  beforeAll(async () => {
    upstream = await serveUpstream();
    const schemaFile = join(mkdtempSync(join(tmpdir(), 'tollgate-parts-')), 'schema.graphql');
    writeFileSync(
      schemaFile,
      `${TYPES} directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT`,
    );
    gateway = await openGateway(upstream.url, { schemaFile });
  });
  const ask = (accept: string) =>
    fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, connection: 'close' },
      body: JSON.stringify({ query: QUERY }),
    });

  it('the gateway passes on each part before the next arrives and reports the settled cost in the last part', async () => {
    let goOn = () => {};
    upstream.behave = (_, response) => {
      response.writeHead(200, MULTIPART);
      response.write(`\r\n---${part(FIRST)}`);
      goOn = () => response.end(`${part(last(10))}--\r\n`);
    };
    const before = await gateway.left();
    const response = await ask('multipart/mixed; deferSpec=20220824, application/json');
    expect(upstream.reached.at(-1)!.headers.accept).toContain('multipart/mixed;deferSpec=20220824');
    expect(response.headers.get('content-type')).toBe(MULTIPART['content-type']);
    const reader = response.body!.getReader();
    let text = '';
    const read = async () => {
      const { done, value } = await reader.read();
      text += Buffer.from(value ?? []).toString();
      return done;
    };
    while (!text.includes(FIRST)) await read();
    expect(text).not.toContain('incremental');
    goOn();
    while (!(await read()));
    // The response contains the single item, and ten of the forty estimated items of the list.
    expect(before - (await gateway.left())).toBe(11);
    expect(text).toContain('"hasNext":false,"extensions":{"cost":');
    expect(text).toMatch(/---\s*--\r\n$|-----\r\n$/);
  });

  it.each<[string, RequestListener]>([
    [
      'breaks off',
      (_, response) => {
        response.writeHead(200, MULTIPART);
        response.write(`\r\n---${part(FIRST)}`, () => setImmediate(() => response.socket!.resetAndDestroy()));
      },
    ],
    [
      'delivers one field twice',
      (_, response) => {
        const again = '{"incremental":[{"data":{"item":{"name":"x"}},"path":[]}],"hasNext":false}';
        response.writeHead(200, MULTIPART).end(`\r\n---${part(FIRST)}${part(again)}--\r\n`);
      },
    ],
    [
      'has a failed part',
      (_, response) => {
        const failed = '{"incremental":[{"data":null,"path":[],"errors":[{"message":"no"}]}],"hasNext":false}';
        response.writeHead(200, MULTIPART).end(`\r\n---${part(FIRST)}${part(failed)}--\r\n`);
      },
    ],
  ])('an incremental response that %s keeps its estimated cost', async (_, behave) => {
    upstream.behave = behave;
    const before = await gateway.left();
    await ask('multipart/mixed')
      .then((response) => response.text())
      .catch(() => {});
    await until('the operation is settled', async () => before - (await gateway.left()) === 41);
  });

  it('a response of server-sent events is charged by its single result', async () => {
    upstream.behave = (_, response) => {
      const result = `{"data":{"item":{"name":"x"},"items":${items(4)}}}`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`:\n\nevent: next\ndata: ${result}\n\nevent: complete\n\n`);
    };
    const before = await gateway.left();
    const text = await (await ask('text/event-stream')).text();
    expect(text).toMatch(/^:\n\nevent: next\ndata: \{.*"extensions":\{"cost":.*\}\n\nevent: complete\n\n$/);
    expect(before - (await gateway.left())).toBe(5);
  });

  it('a multipart response that is invalid, or that the caller does not accept, is an upstream error', async () => {
    for (const accept of ['application/json', 'multipart/mixed']) {
      upstream.behave = (_, response) => response.writeHead(200, MULTIPART).end('\r\n---\r\n\r\nnonsense\r\n-----\r\n');
      const response = await ask(accept);
      expect(response.status).toBe(502);
      expect(await response.text()).toContain('UPSTREAM_INVALID_ANSWER');
    }
  });
});
