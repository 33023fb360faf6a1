import { beforeEach, describe, expect, it } from 'vitest';
import { createByteRate } from '../../src/gateway/byte-rate.js';
import { until } from '../helpers/until.js';
import { type OpenGateway, openGateway, serveUpstream, type UpstreamServer } from './gateway.js';

const QUERY = '{ item { name } }';

describe('responses that the gateway does not read', () => {
  let upstream: UpstreamServer;
  let gateway: OpenGateway;
  let letters: number;

  async function open(tokensPerKib?: number): Promise<void> {
    upstream = await serveUpstream();
    upstream.behave = (_, response) => {
      const text = JSON.stringify({ data: { item: { name: 'x'.repeat(letters) } } });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length }).end(text);
    };
    gateway = await openGateway(upstream.url, { maxReadBytes: 4096, tokensPerKib });
  }

  /** Expects the tokens that are charged for a response whose name has `count` letters. */
  async function expectSpent(tokens: number, count: number, query = QUERY): Promise<void> {
    letters = count;
    const before = await gateway.left();
    await gateway.ask(query);
    const spent = async () => before - (await gateway.left());
    await until(`${tokens} tokens are charged`, async () => (await spent()) === tokens);
    // The estimate may equal the actual cost, so the charge may not be settled yet.
    const running = async () => (await gateway.metrics()).get('tollgate_upstream_requests');
    await until('the request has ended', async () => (await running()) === 0);
    expect(await spent()).toBe(tokens);
  }

  describe('without a price for bytes', () => {
    beforeEach(() => open());

    it('an unread response is charged its estimate until read responses have set a cost per byte', async () => {
      await expectSpent(1, 100 * 1024);
      // 993 letters and the JSON around them are 1,024 bytes, which cost one token.
      await expectSpent(1, 993);
      await expectSpent(101, 100 * 1024);
      // For a document without a read response, the gateway uses the average of all responses.
      await expectSpent(51, 50 * 1024, '{ item { name }, again: item { name } }');
    });
  });

  describe('responses with errors', () => {
    beforeEach(() => open());

    it('responses with errors do not set the cost per byte, so one caller cannot raise the cost of others', async () => {
      const { behave } = upstream;
      const json = { 'content-type': 'application/json' };
      for (const text of ['{"errors":[{"message":"no"}]}', '{"data":null,"errors":[{"message":"no"}]}']) {
        upstream.behave = (_, response) => response.writeHead(200, json).end(text);
        const { body } = await gateway.ask('{ items(first: 100) { name } }');
        expect(body.errors).toEqual([{ message: 'no' }]);
      }
      upstream.behave = behave;
      await expectSpent(1, 100 * 1024);
    });
  });

  describe('with a price for bytes', () => {
    beforeEach(() => open(2));

    it('an unread response is charged by its bytes, even if the caller disconnects early', async () => {
      await expectSpent(201, 100 * 1024);
      // The gateway reads a response of 2,000 bytes, so its bytes cost nothing.
      await expectSpent(1, 2000);
      letters = 64 * 2 ** 20;
      const before = await gateway.left();
      const leaving = new AbortController();
      const response = await fetch(gateway.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: QUERY }),
        signal: leaving.signal,
      });
      const reader = response.body!.getReader();
      for (let bytes = 0; bytes < 150 * 1024; ) bytes += (await reader.read()).value!.length;
      leaving.abort();
      await until('the bytes are charged', async () => before - (await gateway.left()) >= 300);
    });
  });

  it('without a setting, the cost per byte comes first from responses to the same document, and a setting overrides it', () => {
    const document = { kind: 'Document', definitions: [] } as never;
    const other = { kind: 'Document', definitions: [] } as never;
    const learned = createByteRate(undefined);
    expect(learned.costOf(document, 1e6)).toBe(0);
    learned.learn(document, 10, 1000);
    learned.learn(other, 0, 100_000);
    expect(learned.costOf(document, 5000)).toBe(50);
    expect(learned.costOf(other, 5000)).toBe(0);
    const fixed = createByteRate(3);
    fixed.learn(document, 1, 1_000_000);
    expect([fixed.costOf(document, 1024), fixed.costOf(document, 1025)]).toEqual([3, 4]);
    expect(createByteRate(0).costOf(document, 1e9)).toBe(0);
  });
});
