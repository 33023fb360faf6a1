import { type DocumentNode, parse, visit } from 'graphql';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { printForUpstream } from '../../src/gateway/print-for-upstream.js';
import { type OpenGateway, openGateway, serveUpstream, type UpstreamServer } from './gateway.js';

/**
 * Returns a document without parts that have no meaning: locations, string notation and
 * descriptions.
 */
function meaningOf(text: string): DocumentNode {
  return visit(parse(text, { noLocation: true }), {
    StringValue: (node) => ({ ...node, block: false }),
    OperationDefinition: ({ description: _, ...node }) => node,
  });
}

describe('the document that a gateway forwards', () => {
  let upstream: UpstreamServer;
  let gateway: OpenGateway;
  beforeAll(async () => {
    upstream = await serveUpstream();
    gateway = await openGateway(upstream.url, {}, { TOLLGATE_MAX_BATCH_SIZE: '3' });
  });
  beforeEach(() => {
    upstream.reached = [];
  });
  const forwarded = () => upstream.reached.map(({ body }) => JSON.parse(body).query as string);

  const LINE_ENDS = { 'a lone CR': '\r', 'U+2028': '\u2028', 'U+2029': '\u2029', 'U+0085': '\u0085', CRLF: '\r\n' };
  for (const [name, end] of Object.entries(LINE_ENDS)) {
    it(`the forwarded document contains no comment that ends elsewhere for the API than for the gateway (${name})`, async () => {
      const query = `{ item #${end} @skip(if: true)\n { name } }`;
      const { body } = await gateway.ask(query);
      expect(forwarded()).toEqual([
        end.startsWith('\r') ? '{\n  item @skip(if: true) {\n    name\n  }\n}' : '{\n  item {\n    name\n  }\n}',
      ]);
      expect(body.data).toEqual(end.startsWith('\r') ? {} : { item: { name: 'x' } });
    });
  }

  it('the gateway reprints the document of a GET and of each operation in a batch', async () => {
    const query = '# a comment\n{ item { name } }';
    const printed = '{\n  item {\n    name\n  }\n}';
    const response = await fetch(`${gateway.url}?query=${encodeURIComponent(query)}`, {
      headers: { 'apollo-require-preflight': 'true', connection: 'close' },
    });
    await response.text();
    await gateway.ask([{ query }, { query: `${query} # another` }]);
    expect(forwarded()).toEqual([printed, printed, printed]);
  });

  it('the forwarded document contains only the priced operation, even if the request has several', async () => {
    const query = `
      query Cheap { item { ...named } }
      query Expensive { items(first: 900) { ...named ...same } }
      fragment named on Item { name }
      fragment same on Item { same: name }
    `;
    const { body } = await gateway.ask({ query, operationName: 'Cheap' });
    expect(body).toMatchObject({ data: { item: { name: 'x' } }, extensions: { cost: { requestedQueryCost: 1 } } });
    await gateway.ask({ query, operationName: 'Expensive' });
    await gateway.ask({ query, operationName: 'Cheap' });
    const [cheap, expensive, again] = upstream.reached.map(({ body }) => JSON.parse(body));
    expect(cheap).toEqual({
      query: 'query Cheap {\n  item {\n    ...named\n  }\n}\n\nfragment named on Item {\n  name\n}',
      operationName: 'Cheap',
    });
    expect(expensive.query).not.toContain('Cheap');
    expect(expensive.query).toContain('fragment same');
    expect(again).toEqual(cheap);
  });

  it('the gateway forwards the query that it priced when a body repeats the query key', async () => {
    const [cheap, expensive] = ['{ item { name } }', '{ items(first: 900) { name } }'];
    const twice = `{"query":${JSON.stringify(expensive)},"query":${JSON.stringify(cheap)},"Query":${JSON.stringify(expensive)}}`;
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: twice,
    });
    expect(await response.json()).toMatchObject({ extensions: { cost: { requestedQueryCost: 1 } } });
    expect(upstream.reached.map(({ body }) => body)).toEqual([
      JSON.stringify({ query: '{\n  item {\n    name\n  }\n}' }),
    ]);
  });

  it('the forwarded document has no block strings and no characters that lexers disagree on', async () => {
    const values = [
      '"plain \\" \\\\ \\/ \\b\\f\\n\\r\\t"',
      '"\\u{1F600} \\u{2028} \\u{41}"',
      '"\\uD83D\\uDE00 \u{1F600} \u00e9\u4e2d"',
      '"\u2028 \u2029 \u0085 \ufeff \u00a0 \u200b \u007f"',
      '"# no comment"',
      '"""\n  a block\n    with \\""" in it\n  \u2028\r\n  and "quotes" \\n\n"""',
      '""',
      '""""""',
    ];
    for (const value of values) {
      const query = `\ufeff query Q($unused: String = ${value}) { echo(value: ${value}), again: echo(value: $unused) }`;
      const { body } = await gateway.ask(query);
      const [text] = forwarded().splice(0);
      upstream.reached = [];
      expect(meaningOf(text!), value).toEqual(meaningOf(query));
      expect(text, value).toMatch(/^(?:[ -~\n]|(?![\p{C}\p{Z}])\P{ASCII}|[\u{10000}-\u{10ffff}])*$/u);
      expect(text, value).not.toMatch(/"""|\\u\{/);
      expect(body.data.echo, value).toBe(body.data.again);
    }
  });

  it('the forwarded document keeps the notation of numbers', async () => {
    const text = '{ a(x: [-0, 9007199254740993, 1e400, 0.1000000000000000055, 1.50, -1.0E+5]) }';
    expect(meaningOf(printForUpstream(parse(text), undefined))).toEqual(meaningOf(text));
  });

  it('the forwarded document has no descriptions, which older servers cannot parse', () => {
    const text = '"what it is" query Q("of it" $a: Int) { a(b: $a) ...f } """more""" fragment f on Q { a }';
    expect(printForUpstream(parse(text), undefined)).toBe(
      'query Q($a: Int) {\n  a(b: $a)\n  ...f\n}\n\nfragment f on Q {\n  a\n}',
    );
  });

  it('the gateway prints each document only once', () => {
    const document = parse('query A { a } query B { b }');
    expect(printForUpstream(document, 'B')).toBe('query B {\n  b\n}');
    Object.assign(document, { definitions: [] });
    expect(printForUpstream(document, 'B')).toBe('query B {\n  b\n}');
  });
});
