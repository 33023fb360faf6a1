import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RuleInput } from '../../src/index.js';
import { uniqueName } from '../helpers/servers.js';
import { type AbuseApi, type Attempt, countCases, serveAbuseApi, TARGETS } from './serve.js';

const perHour = (amount: number) => ({ algorithm: 'FIXED_WINDOW' as const, amount, windowMs: 86_400_000 });
const rules: RuleInput[] = [
  { name: 'logins', scope: 'USER', field: 'Mutation.login', measure: 'CALLS', limits: [perHour(5)] },
  { name: 'items', scope: 'USER', field: 'Query.item', measure: 'CALLS', limits: [perHour(100_000)] },
  { name: 'constructor', scope: 'USER', field: 'Query.constructor', measure: 'CALLS', limits: [perHour(1000)] },
];
const hundred = (make: (index: number) => string) => Array.from({ length: 100 }, (_, index) => make(index)).join(' ');

describe.each(TARGETS)('documents, $behind', ({ redis, gateway }) => {
  let api: AbuseApi;
  beforeAll(async () => {
    const url = redis();
    api = await serveAbuseApi({ rules, gateway, ...(url !== undefined && { redis: url }) });
  });
  afterAll(() => api.close());

  const price = async (attempt: Attempt): Promise<number> => {
    const { status, body } = await api.attempt(attempt);
    expect(status, JSON.stringify(body.errors)).toBe(200);
    return body.extensions.cost.requestedQueryCost;
  };
  const rejected = async (attempt: Attempt, statuses: number[] = [400]) => {
    const { status, body } = await api.attempt(attempt);
    expect(statuses, JSON.stringify(body).slice(0, 300)).toContain(status);
    expect(body.data).toBeUndefined();
    return body.errors[0];
  };
  /** Returns the remaining amount of a rule's limit. */
  const remaining = async (rule: string) =>
    (await api.tollgate.quota({ user: api.user })).find((entry) => entry.rule === rule)!.remaining;

  it('A1: 100 aliases of one field cost 100 times the price and change its counter by 100', async (context) => {
    const before = await remaining('items');
    expect(await price({ query: `{ ${hundred((i) => `a${i}: item { name }`)} }` })).toBe(100);
    expect(before - (await remaining('items'))).toBe(100);
    countCases(context, 100);
  });

  it('A1: 100 aliases of __typename cost only the minimum price of an operation', async () => {
    expect(await price({ query: `{ ${hundred((i) => `a${i}: __typename`)} }` })).toBe(1);
  });

  it('A1: 100 aliases of a limited mutation are rejected, and none of them runs', async (context) => {
    const error = await rejected({ query: `mutation { ${hundred((i) => `a${i}: login(password: "${i}") { id }`)} }` });
    expect(error.extensions).toMatchObject({ deniedBy: 'logins', cost: 100, limit: 5 });
    expect(await remaining('logins')).toBe(5);
    await api.attempt({ query: 'mutation { a: login(password: "1") { id } b: login(password: "2") { id } }' });
    const four = [1, 2, 3, 4].map((i) => `a${i}: login(password: "${i}") { id }`).join(' ');
    expect((await rejected({ query: `mutation { ${four} }` }, [429])).extensions.deniedBy).toBe('logins');
    countCases(context, 100);
  });

  it.each([
    ['a fragment that spreads itself', '{ ...A } fragment A on Query { item { name } ...A }', undefined],
    [
      'fragments that spread each other',
      '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
      undefined,
    ],
    [
      'a cycle below a field',
      '{ item { ...A } } fragment A on Item { parent { ...B } } fragment B on Item { parent { ...A } }',
      undefined,
    ],
    ['5,000 nested selections', `{ item ${'{ parent '.repeat(5000)}{ id }${' }'.repeat(5001)}`, 'maxDepth'],
    ['5,000 nested selections left open', `{ item ${'{ parent '.repeat(5000)}`, 'maxDepth'],
    ['5,000 nested lists', `{ items(first: ${'['.repeat(5000)}1${']'.repeat(5000)}) { id } }`, 'maxDepth'],
    ['5,000 nested objects', `{ paged(page: ${'{next: '.repeat(5000)}null${'}'.repeat(5000)}) { id } }`, 'maxDepth'],
    ['5,000 open brackets', '['.repeat(5000), 'maxDepth'],
    [
      'depth through fragments',
      `{ item { ...F0 } } ${Array.from({ length: 40 }, (_, i) => `fragment F${i} on Item { parent { ...F${i + 1} } }`).join(' ')} fragment F40 on Item { id }`,
      'maxDepth',
    ],
    ['90 KB of comments', `{ item { id } } #${'x'.repeat(90_000)}`, 'maxBytes'],
    ['10,000 fields', `{ item { ${'id '.repeat(10_000)} } }`, 'maxTokens'],
    ['300 aliases', `{ item { ${Array.from({ length: 300 }, (_, i) => `a${i}: id`).join(' ')} } }`, 'maxAliases'],
    ['300 directives', `{ item @include(if: true) { id ${'@skip(if: false)'.repeat(300)} } }`, 'maxDirectives'],
    ['900 unknown directives', `{ item ${'@x'.repeat(900)} { id } }`, 'maxDirectives'],
    [
      '150 operations',
      Array.from({ length: 150 }, (_, i) => `query Q${i} { item { id } }`).join(' '),
      'maxDefinitions',
    ],
    ['one field with selections 499 times', `{ ${'item{id}'.repeat(499)} }`, 'maxComparisons'],
    [
      'sixty fragments that lead to each other in circles',
      `{ item { ...F0 } } ${Array.from({ length: 60 }, (_, i) => `fragment F${i} on Item { a: parent { ...F${(i + 1) % 60} } b: parent { ...F${(i + 1) % 60} ...F${(i * 7 + 3) % 60} } }`).join(' ')}`,
      undefined,
    ],
    [
      'a hundred unknown types of a hundred letters',
      `{ ${Array.from({ length: 100 }, (_, i) => `... on ${'Itme'.repeat(25)}${i} { id }`).join(' ')} }`,
      undefined,
    ],
    ['a string that never ends', `{ item(x: "${'a'.repeat(10_000)}`, undefined],
    ['a block string that never ends', `{ item(x: """${'a'.repeat(10_000)}`, undefined],
  ])('A2: a document with %s is rejected before anything runs', async (_, query, limit) => {
    const error = await rejected({ query });
    expect(error.message).not.toMatch(/call stack/i);
    if (limit !== undefined) expect(error.extensions).toMatchObject({ code: 'DOCUMENT_LIMIT_EXCEEDED', limit });
  });

  it('A2: a megabyte of comments is rejected by its bytes', async () => {
    await rejected({ query: `{ item { id } } #${'x'.repeat(1_000_000)}` }, [413]);
  });

  it('A2: a chain of 25 fragments that are each spread twice under aliases is priced at its full expansion', async () => {
    const chain = Array.from(
      { length: 25 },
      (_, i) => `fragment F${i} on Item { a: parent { ...F${i + 1} } b: parent { ...F${i + 1} } }`,
    ).join(' ');
    const error = await rejected({ query: `{ item { ...F0 } } ${chain} fragment F25 on Item { id }` });
    expect(error.extensions).toMatchObject({ code: 'MAX_COST_EXCEEDED', cost: 2 ** 26 - 1 });
  });

  it('A2: a chain of 30 fragments that are each spread twice at one level is priced once', async () => {
    const chain = Array.from({ length: 30 }, (_, i) => `fragment F${i} on Item { ...F${i + 1} ...F${i + 1} }`).join(
      ' ',
    );
    const query = `{ item { ...F0 } } ${chain} fragment F30 on Item { parent { id } }`;
    expect(await price({ query })).toBe(2);
  });

  it('A3: a fragment that is spread in two lists is priced with the size of each list', async () => {
    const query =
      '{ a: items(first: 1) { ...F } b: items(first: 100) { ...F } } fragment F on Item { children(first: 2) { id } }';
    expect(await price({ query })).toBe(1 + 2 + 100 + 200);
    const [one, hundredItems] = ['$one', '$many'];
    const variable = query.replace('1)', `${one})`).replace('100)', `${hundredItems})`);
    const withVariables = `query ($one: Int, $many: Int) ${variable}`;
    expect(await price({ query: withVariables, variables: { one: 1, many: 100 } })).toBe(303);
    expect(await price({ query: withVariables, variables: { one: 100, many: 1 } })).toBe(303);
  });

  it('A4: names from Object.prototype and from introspection have no special meaning in operations', async (context) => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__schema', '__type'];
    let cases = 0;
    for (const name of names) {
      expect(await price({ query: `{ ${name}: items(first: 7) { ${name}: name } }` })).toBe(7);
      expect(await price({ query: `query ${name} { items(first: 6) { id } }` })).toBe(6);
      const variables = JSON.parse(`{ "${name}": 5 }`);
      expect(await price({ query: `query ($${name}: Int) { items(first: $${name}) { id } }`, variables })).toBe(5);
      // The variable has no value. A property of Object.prototype must not count as its value.
      expect(await price({ query: `query ($${name}: Int) { items(first: $${name}) { id } }` })).toBe(10);
      expect(await price({ query: `{ ...${name} } fragment ${name} on Query { items(first: 4) { id } }` })).toBe(4);
      await api.attempt({ query: '{ item { id } }' }, `${name}${uniqueName('')}`);
      await api.attempt({ query: '{ item { id } }' }, name);
      cases += 7;
    }
    const before = await remaining('constructor');
    expect(await price({ query: '{ constructor { id } toString { id } hasOwnProperty(valueOf: 1) { id } }' })).toBe(3);
    expect(before - (await remaining('constructor'))).toBe(1);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    countCases(context, cases + 1);
  });

  it('A4: tiers, rules and clients may have names from Object.prototype and from introspection', async (context) => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__schema'];
    const bucket = { refillAmount: 1, refillPeriodMs: 86_400_000 };
    const tiers = names.map((name, index) => ({
      ...bucket,
      name,
      capacity: 100 + index,
      answer: 'FULL' as const,
      isDefault: index === 0,
    }));
    const named = names.map((name, index) => ({
      name,
      scope: 'USER' as const,
      field: 'Query.item',
      measure: 'CALLS' as const,
      match: { clients: [name], operationNames: [name], tiers: [name] },
      limits: [{ algorithm: 'FIXED_WINDOW' as const, amount: 10 + index, windowMs: 86_400_000 }],
    }));
    let tier = '';
    const user = uniqueName('named');
    const url = redis();
    const own = await serveAbuseApi({
      tiers,
      rules: named,
      identify: () => ({ user: `${user}${tier}`, tier }),
      gateway,
      ...(url !== undefined && { redis: url }),
    });
    for (const [index, name] of names.entries()) {
      tier = name;
      const { status, body } = await own.attemptConcurrently({
        query: `query ${name} { item { id } }`,
        headers: { 'apollographql-client-name': name },
      });
      expect(status).toBe(200);
      expect(body.extensions.cost.tier).toBe(name);
      expect(body.extensions.cost.throttleStatus).toMatchObject({ maximumAvailable: 100 + index });
      expect(body.extensions.cost.limits).toMatchObject([{ rule: name, limit: 10 + index, remaining: 9 + index }]);
    }
    // A property that every object inherits matches no tier, so the default tier applies.
    tier = 'isPrototypeOf';
    const { body } = await own.attemptConcurrently({ query: '{ item { id } }' });
    expect(body.extensions.cost.tier).toBe('__proto__');
    await own.close();
    countCases(context, names.length + 1);
  });

  it('A4: a body with __proto__ members does not pollute Object.prototype', async () => {
    const body = '{"query":"{ item { id } }","variables":{"__proto__":{"polluted":1}},"__proto__":{"polluted":1}}';
    const { status } = await api.attempt({ raw: { method: 'POST', body } });
    expect(status).toBe(200);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    'subscription { item { id } }',
    'subscription S { __typename }',
    'subscription { anything(at: "all") }',
  ])('A5: %s is rejected and pays the fee, because the API has no subscriptions', async (query) => {
    const before = await api.left();
    const answer = await api.attempt({ query });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
    expect(answer.body.extensions.cost).toMatchObject({ fee: 1, requestedQueryCost: 0 });
    expect(before - (await api.left())).toBe(1);
  });

  describe('requests with several operations', () => {
    const query = 'query A { item { id } } query B { items(first: 50) { id } }';
    it.each([
      ['A', 1],
      ['B', 50],
    ])('A5: a request with several operations is priced only for the one named %s', async (operationName, cost) => {
      expect(await price({ query, operationName })).toBe(cost);
    });
    it.each([
      ['no name', {}],
      ['null as the name', { operationName: null }],
      ['an unknown name', { operationName: 'C' }],
      ['an empty name', { operationName: '' }],
      ['a number as the name', { operationName: 1 }],
      ['a list as the name', { operationName: ['A'] }],
      ['the name of a property of Object.prototype', { operationName: 'constructor' }],
      [
        'a name that two operations have',
        { query: 'query A { item { id } } query A { items { id } }', operationName: 'A' },
      ],
    ])('A5: a request with several operations and %s is rejected and pays the fee', async (_, more) => {
      const before = await api.left();
      await rejected({ query, ...more });
      expect(before - (await api.left())).toBe(1);
    });
  });

  it('A6: the price follows the values of @skip and @include at every position', async (context) => {
    const conditions = ['@include(if: $a)', '@skip(if: $a)', '@include(if: $b) @skip(if: $a)', '@skip(if: false)'];
    const places = [
      (c: string) => `items(first: 5) ${c} { id }`,
      (c: string) => `... on Query ${c} { items(first: 5) { id } }`,
      (c: string) => `...F ${c}`,
      (c: string) => `items(first: 2) { children(first: 3) ${c} { id } }`,
    ];
    let cases = 0;
    for (const place of places) {
      for (const condition of conditions) {
        const used = place(condition);
        const fragment = used.includes('...F') ? ' fragment F on Query { items(first: 5) { id } }' : '';
        const names = ['$a', '$b'].filter((name) => condition.includes(name));
        const defined = names.map((name) => `${name}: Boolean = ${name === '$a'}`).join(', ');
        const query = `query${names.length > 0 ? ` (${defined})` : ''} { item { id } ${used} }${fragment}`;
        for (const variables of [{}, { a: true }, { a: false }, { b: true }, { a: false, b: true }]) {
          const given = Object.fromEntries(Object.entries(variables).filter(([name]) => names.includes(`$${name}`)));
          await price({ query, variables: given });
          cases++;
        }
      }
    }
    countCases(context, cases);
  });

  it('A7: a list is priced with the size that the execution uses, however the size is written', async (context) => {
    const forms: [string, unknown, number][] = [
      ['items(first: $v) { id }', undefined, 10],
      ['items(first: $v) { id }', 0, 1],
      // A negative number counts as absent.
      ['items(first: $v) { id }', -1, 10],
      ['items(first: $v) { id }', -2147483648, 10],
      ['items(first: $v) { id }', 100, 100],
      ['items(first: $v) { id }', 1e3, 1000],
      ['plain(first: $v) { id }', null, 7],
      ['plain(first: $v) { id }', undefined, 7],
      ['plain(first: $v) { id }', 0, 1],
      ['plain(first: $v) { id }', -1, 7],
      ['items(first: 4) { children(first: $v) { id } }', -5, 4 + 4 * 3],
      ['items(first: 4) { children(first: $v) { id } }', 25, 104],
      ['paged(page: { size: $v }) { id }', 20, 20],
      ['paged(page: { size: $v }) { id }', -20, 9],
    ];
    for (const [field, value, cost] of forms) {
      const literal = field.replace(/\(?first: \$v\)?/, value === undefined ? '' : `(first: ${String(value)})`);
      if (field.includes('(first: $v)')) expect(await price({ query: `{ ${literal} }` })).toBe(cost);
      const variables = value === undefined ? {} : { v: value };
      expect(await price({ query: `query ($v: Int) { ${field} }`, variables })).toBe(cost);
      // This operation contains the value as the default of the variable.
      if (typeof value === 'number')
        expect(await price({ query: `query ($v: Int = ${value}) { ${field} }` })).toBe(cost);
    }
    const page = 'query ($p: Page) { paged(page: $p) { id } }';
    expect(await price({ query: page, variables: { p: { size: 30 } } })).toBe(30);
    expect(await price({ query: page, variables: { p: { next: { size: 30 } } } })).toBe(9);
    expect(await price({ query: page, variables: { p: null } })).toBe(9);
    countCases(context, forms.length * 3 + 3);
  });

  it.each([
    ['a fraction', 1.5],
    ['a string', '100'],
    ['a list', [100]],
    ['an object', { size: 1 }],
    ['true', true],
    ['2^31', 2 ** 31],
    ['1e300', 1e300],
  ])('A7: %s as a size is rejected and pays the fee', async (_, v) => {
    const error = await rejected({ query: 'query ($v: Int) { items(first: $v) { id } }', variables: { v } });
    expect(error.extensions.code).toBe('BAD_USER_INPUT');
  });

  it('A7: nested lists of the largest size exceed every bucket, and their cost does not overflow', async () => {
    const max = 2147483647;
    const query = `query ($n: Int) { items(first: $n) { children(first: $n) { children(first: ${max}) { id } } } }`;
    expect((await rejected({ query, variables: { n: max } })).extensions).toMatchObject({
      code: 'MAX_COST_EXCEEDED',
      cost: max,
    });
  });

  it('A7: a field that needs exactly one slicing argument is rejected with two and with none', async () => {
    for (const query of [
      '{ either(first: 1, last: 100) { id } }',
      '{ either { id } }',
      '{ either(first: null) { id } }',
    ]) {
      expect((await rejected({ query })).extensions.code).toBe('COST_SLICING_ARGUMENT');
    }
    expect(await price({ query: '{ either(last: 8) { id } }' })).toBe(8);
  });

  it('A8: a union or an interface costs as much as its most expensive type', async (context) => {
    const operations = [
      '{ found { ... on Item { name } ... on Book { title } } }',
      '{ found { ... on Item { children(first: 100) { id } } ... on Book { pages { id } } } }',
      '{ found { ... on Node { weighty { id } } ... on Item { parent { id } } } }',
      '{ found { ... on Node { ... on Book { pages { id } } } ... on Book { pages { id } weighty { id } } } }',
      '{ node { weighty { id } } }',
      '{ node { ... on Book { weighty { id } } ... on Item { weighty { parent { id } } } } }',
      '{ node { ... on Item { id } } found { __typename } }',
    ];
    const costs: number[] = [];
    for (const query of operations) costs.push(await price({ query }));
    // A Book costs 4, its field `weighty` 50, and the item that this field returns 1.
    expect(costs[0]).toBe(5 * 4);
    expect(costs[4]).toBe(4 + 50 + 1);
    countCases(context, operations.length);
  });

  it('A9: each request with the same text is priced for its own variables and operation', async (context) => {
    const query =
      'query A($n: Int!) { items(first: $n) { id } } query B($n: Int!) { items(first: $n) { children(first: $n) { id } } }';
    for (const n of [1, 50, 2, 50, 1]) {
      expect(await price({ query, operationName: 'A', variables: { n } })).toBe(n);
      expect(await price({ query, operationName: 'B', variables: { n } })).toBe(n + n * n);
    }
    countCases(context, 10);
  });

  it('A9: an operation sent as a persisted hash is priced by its text and the variables of the request', async () => {
    const query = `query Saved${uniqueName('')} ($n: Int!) { items(first: $n) { id } }`;
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    expect(await price({ query, extensions, variables: { n: 3 } })).toBe(3);
    for (const n of [40, 2]) expect(await price({ query: undefined, extensions, variables: { n } })).toBe(n);
    // A hash of another text is rejected.
    await rejected({ query: '{ items(first: 100) { id } }', extensions, variables: { n: 1 } });
  });
});
