import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findInexactNumbers } from '../../src/gateway/upstream/exact-numbers.js';
import { type OpenGateway, openGateway, serveUpstream, type UpstreamServer } from './gateway.js';

const NUMBERS =
  '[9007199254740993,-9223372036854775808,1e400,-1E-400,0.1000000000000000055,-0,-0.0,1.0,1.50,2e3,12,-7,0,0.5]';
const FORWARDED = NUMBERS.replace('1e400,', '');
const STRINGS = '["9007199254740993","\\\\\\"1.0\\\\",1.0,"\\\\",{"1.0":1.0}]';

describe('numbers that JavaScript would write differently', () => {
  let upstream: UpstreamServer;
  let gateway: OpenGateway;
  beforeAll(async () => {
    upstream = await serveUpstream();
    gateway = await openGateway(upstream.url, {}, { TOLLGATE_MAX_BATCH_SIZE: '3' });
  });
  beforeEach(() => {
    upstream.reached = [];
    upstream.behave = undefined;
  });

  const post = async (body: string, type = 'application/json') => {
    const headers = { 'content-type': type, connection: 'close' };
    const response = await fetch(gateway.url, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };
  const forwarded = () => upstream.reached.map(({ body }) => body.slice(body.indexOf('"variables":')));

  it('numbers in variables reach the API exactly as the caller wrote them', async () => {
    const variables = `{"id":9007199254740993,"all":${FORWARDED},"texts":${STRINGS}}`;
    const query = 'mutation { save { name } }';
    await post(`{"variables": ${variables}, "query": "${query}", "operationName": null}`);
    expect(forwarded()).toEqual([`"variables":${variables}}`]);
    expect(JSON.parse(upstream.reached[0]!.body)).toMatchObject({ operationName: null });
  });

  it('each operation of a batch reaches the API with its own exact numbers, and so does a GET', async () => {
    const query = '"query":"{ item { name } }"';
    await post(
      `[{${query},"variables":{"a":1.0}},{${query},"extensions":{"b":1.0}},{${query},"variables":{"c":-0,"c":2.0}}]`,
    );
    expect(
      forwarded()
        .map((body) => (body.startsWith('"var') ? body : ''))
        .sort(),
    ).toEqual(['', '"variables":{"a":1.0}}', '"variables":{"c":2.0}}']);
    upstream.reached = [];
    const get = `${gateway.url}?query=${encodeURIComponent('{ item { name } }')}&variables=${encodeURIComponent('{"a":1e300}')}`;
    await (await fetch(get, { headers: { 'apollo-require-preflight': 'true', connection: 'close' } })).text();
    expect(forwarded()).toEqual(['"variables":{"a":1e300}}']);
  });

  it('a number is priced as its nearest JavaScript number and rejected when it is out of range', async () => {
    const query = 'query ($n: Int!) { items(first: $n) { name } }';
    const answers = await Promise.all(
      ['2.0', '1e400', '9007199254740993', '1.0000000000000000001'].map((n) =>
        post(JSON.stringify({ query, variables: { n: 'N' } }).replace('"N"', n)),
      ),
    );
    const costs = answers.map(({ text }) => JSON.parse(text).extensions.cost.requestedQueryCost);
    const statuses = answers.map(({ status }) => status);
    const beyond = [`{"a":1e400}`, `{"a":[-1e999]}`, `{"a":1${'0'.repeat(500)}}`, `{"a":0.${'1'.repeat(500)}}`];
    for (const variables of beyond) {
      const { status, text } = await post(`{"query":"{ item { name } }","variables":${variables}}`);
      expect([status, JSON.parse(text).errors[0].extensions.code]).toEqual([400, 'BAD_REQUEST']);
    }
    expect([statuses, costs[0], costs[3]]).toEqual([[200, 400, 400, 200], 2, 1]);
  });

  it('numbers in a response keep the notation of the API when the gateway rewrites the response', async () => {
    const data = `{"item":{"name":${NUMBERS}},"echo":${STRINGS}}`;
    upstream.behave = (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(`{"data":${data},"extensions":{"took":1.0}}`);
    };
    const withExtensions = await post('{"query":"{ item { name } echo }"}');
    expect(withExtensions.text).toContain(`{"data":${data},"extensions":{"took":1.0,"cost":{`);
    upstream.behave = (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(`{"data":{"any":{"__tollgateType":"Cheap","a":[{"name":${NUMBERS}}]}}}`);
    };
    const typed = await post(
      '{"query":"{ any { ... on Cheap { a: list(first: 3) { name } } ... on Expensive { a: one { name } } } }"}',
    );
    expect(typed.text).toContain(`{"data":{"any":{"a":[{"name":${NUMBERS}}]}},"extensions":{"cost":{`);
  });

  it('the search for inexact numbers finds all of them in any JSON and nothing else', () => {
    for (const json of [
      NUMBERS,
      STRINGS,
      `{"a":${NUMBERS},"b":[${STRINGS}]}`,
      '-0',
      '{"a":1.0}',
      '"1.0"',
      '[]',
      '12',
    ]) {
      const exact = findInexactNumbers(json);
      const written = JSON.stringify(JSON.parse(json));
      expect(exact ? exact.restore(JSON.stringify(JSON.parse(exact.text))) : written, json).toBe(json);
      expect(exact === undefined, json).toBe(written === json);
    }
  });

  it('a body in UTF-16 is rejected with 415', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-16le', connection: 'close' };
    const body = Buffer.from('{"query":"{ item { name } }","variables":{"a":1.0}}', 'utf16le');
    const response = await fetch(gateway.url, { method: 'POST', headers, body });
    const answer = JSON.parse(await response.text());
    expect([response.status, answer.errors[0].extensions.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});
