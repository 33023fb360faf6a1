import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEmbeddedPlatform } from '../../helpers/embedded-platform.js';
import { ADMIN_TOKEN, type Platform, post } from '../../helpers/platform.js';
import { until } from '../../helpers/until.js';

const FREE = { 'x-api-key': 'demo-free' };
const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
const REQUESTS = 12;

let platform: Platform;
const admin = (body: Parameters<typeof post>[1]) => post(`${platform.url}/admin/graphql`, body, ADMIN);

// What the clients saw.
const seen = { admitted: 0, denied: 0, estimated: 0, actual: 0 };

beforeAll(async () => {
  platform = await startEmbeddedPlatform({ env: { TOLLGATE_DECISIONS_PER_SECOND: '1000' } });
  for (let n = 0; n < REQUESTS; n++) {
    const query = 'query Neighbours { countries(first: 10) { name borders { name } } }';
    const { body } = await post(`${platform.url}/graphql`, { query }, FREE);
    const { requestedQueryCost, actualQueryCost } = body.extensions.cost;
    if (body.errors) seen.denied++;
    else {
      seen.admitted++;
      seen.estimated += requestedQueryCost;
      seen.actual += actualQueryCost;
    }
  }
});
afterAll(async () => {
  await platform.stop();
});

it('an operator sees within seconds what callers saw, in every way of asking', async () => {
  let usage: { requests: number }[] = [];
  await until('usage is stored', async () => {
    const { body } = await admin(
      '{ usage(groupBy: [OPERATION]) { nodes { operation { name } requests denied estimatedCost actualCost } } }',
    );
    usage = body.data.usage.nodes;
    return usage.reduce((sum, { requests }) => sum + requests, 0) === REQUESTS;
  });
  const { admitted: _, ...numbers } = seen;
  expect(usage).toEqual([
    {
      operation: { name: 'Neighbours' },
      requests: REQUESTS,
      denied: numbers.denied,
      estimatedCost: numbers.estimated,
      actualCost: numbers.actual,
    },
  ]);
  const { body } = await admin(`{
    topCallers { nodes { caller { kind name } requests share } }
    topFields(orderBy: REQUESTS) { nodes { field requests actualCalls } }
    operationAccuracy { operation { name } estimatedCost actualCost }
    fieldAccuracy { field assumedSize suggestedAssumedSize }
    denials { nodes { ruleName code operation { name } } }
    violations { nodes { ruleName denied } }
  }`);
  expect(body.errors).toBeUndefined();
  expect(body.data.topCallers.nodes).toMatchObject([{ requests: REQUESTS, share: 1 }]);
  expect(body.data.topFields.nodes).toContainEqual(
    expect.objectContaining({ field: 'Query.countries', requests: REQUESTS }),
  );
  expect(body.data.operationAccuracy[0]).toMatchObject({
    estimatedCost: numbers.estimated,
    actualCost: numbers.actual,
  });
  // Countries have fewer neighbours than the longest list of them has.
  const borders = body.data.fieldAccuracy.find(({ field }: { field: string }) => field === 'Country.borders');
  expect(borders.suggestedAssumedSize).toBeLessThan(borders.assumedSize);
  expect(body.data.denials.nodes).toHaveLength(seen.denied);
  const denials = body.data.violations.nodes.reduce((sum: number, { denied }: { denied: number }) => sum + denied, 0);
  expect(denials).toBe(seen.denied);
});

it('those who have a token can export the same', async () => {
  const answer = await fetch(`${platform.url}/admin/usage.csv?groupBy=CALLER`, { headers: ADMIN });
  const [head = '', row = '', end] = (await answer.text()).split('\n');
  expect(end).toBe('# end, 1 rows');
  const cells = row.split(',');
  expect(cells[head.split(',').indexOf('actualCost')]).toBe(String(seen.actual));
  expect((await fetch(`${platform.url}/admin/usage.ndjson`)).status).toBe(401);
});

it('a draft of a rule is tried out on what happened', async () => {
  const { body } = await admin(`{ ruleSimulate(input: { rule: {
      name: "few", scope: USER, field: "Query.countries", measure: CALLS
      limits: [{ fixedWindow: { amount: 1, windowMs: 86400000 } }] } }) {
    simulation { decisions recordedDenied deniedBefore denied operations { name denied } } userErrors { message } } }`);
  expect(body.data.ruleSimulate).toMatchObject({
    userErrors: [],
    simulation: { decisions: REQUESTS, recordedDenied: seen.denied, deniedBefore: seen.denied },
  });
  const { denied, operations } = body.data.ruleSimulate.simulation;
  // All but the first of the day; the traffic may stand on both sides of midnight.
  expect([REQUESTS - 1, REQUESTS - 2]).toContain(denied);
  expect(operations).toEqual([{ name: 'Neighbours', denied }]);
});

it('a draft with mistakes is answered with all of them', async () => {
  const { body } = await admin(`{ ruleSimulate(input: { replaces: "nothing", rule: {
      name: "few", scope: USER, field: "Query", match: { tiers: ["gold"] }
      limits: [{ fixedWindow: { amount: 1, windowMs: 0 } }] } }) { simulation { denied } userErrors { code field message } } }`);
  const { simulation, userErrors } = body.data.ruleSimulate;
  expect(simulation).toBeNull();
  const fields = userErrors.map(({ field }: { field: string[] }) => field.join('.'));
  expect(fields).toEqual(expect.arrayContaining(['rule.field', 'rule.limits.0.fixedWindow.windowMs', 'replaces']));
});

it('a denial says what was asked for, at the price that it was denied for, without what its caller wrote into it', async () => {
  const query = `query Personal($first: Int!, $of: ID!) {
    # for ann@example.com
    countries(first: $first) { name borders { name } }
    country(code: $of) { name }
    other: country(code: "ann@example.com") { name }
  }`;
  const variables = { first: 40, of: '19850712-1234' };
  const { body } = await post(`${platform.url}/graphql`, { query, variables }, FREE);
  expect(body.errors[0].extensions.code).toBe('THROTTLED');
  let denial: { document: { id: string; text: string } | null; variables: unknown; requestedCost: number } | undefined;
  await until(
    'the denial is stored',
    async () => {
      const asked =
        '{ denials(filter: { operation: "Personal" }) { nodes { requestedCost variables document { id text } } } }';
      [denial] = (await admin(asked)).body.data.denials.nodes;
      return denial !== undefined;
    },
    60_000,
    1000,
  );
  const { document, requestedCost } = denial!;
  expect(denial!.variables).toEqual({ first: 40, of: '' });
  expect(document!.text).toContain('other: country(code: "")');
  expect(JSON.stringify(denial)).not.toMatch(/ann@|1985/);
  const explained = await admin({
    query:
      'query($input: CostExplainInput!) { costExplain(input: $input) { explanation { cost } userErrors { message } } }',
    variables: { input: { query: document!.text, variables: denial!.variables } },
  });
  expect(explained.body.data.costExplain).toEqual({ explanation: { cost: requestedCost }, userErrors: [] });
  const found = await admin(`{ deniedDocument(id: "${document!.id}") { text } }`);
  expect(found.body.data.deniedDocument.text).toBe(document!.text);
});
