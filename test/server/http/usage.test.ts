import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEmbeddedPlatform } from '../../helpers/embedded-platform.js';
import { ADMIN_TOKEN, type Platform, post } from '../../helpers/platform.js';
import { until } from '../../helpers/until.js';

const FREE = { 'x-api-key': 'demo-free' };
const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
const REQUESTS = 12;

let platform: Platform;
const admin = (body: Parameters<typeof post>[1]) => post(`${platform.url}/admin/graphql`, body, ADMIN);

/** An operation with personal data of the caller in a comment, in variables and in arguments. */
const PERSONAL = {
  query: `query Personal($first: Int!, $of: ID!) {
    # for ann@example.com
    countries(first: $first) { name borders { name } }
    country(code: $of) { name }
    other: country(code: "ann@example.com") { name }
  }`,
  // This costs nearly the whole bucket, so that a refill on a slow machine does not admit it.
  variables: { first: 55, of: '19850712-1234' },
};
const ALL = REQUESTS + 1;

// The costs and denials that the client received for `Neighbours`. `Personal` is sent afterwards
// and is denied.
const seen = { denied: 0, estimated: 0, actual: 0 };

// All tests read the same recorded traffic and send no operations, so they can run in any order.
beforeAll(async () => {
  platform = await startEmbeddedPlatform({
    env: {
      TOLLGATE_EVENTS_PER_SECOND: '1000',
      TOLLGATE_CALLER_EVENTS_PER_MINUTE: '1000',
      TOLLGATE_DECISIONS_PER_SECOND: '1000',
    },
  });
  for (let n = 0; n < REQUESTS; n++) {
    const query = 'query Neighbours { countries(first: 10) { name borders { name } } }';
    const { body } = await post(`${platform.url}/graphql`, { query }, FREE);
    const { requestedQueryCost, actualQueryCost } = body.extensions.cost;
    if (body.errors) seen.denied++;
    else {
      seen.estimated += requestedQueryCost;
      seen.actual += actualQueryCost;
    }
  }
  const { body } = await post(`${platform.url}/graphql`, PERSONAL, FREE);
  expect(body.errors[0].extensions.code).toBe('THROTTLED');
  await until(
    'usage and decisions are stored',
    async () => {
      const { data } = (await admin('{ usage(groupBy: [OPERATION]) { nodes { requests } } denials { totalCount } }'))
        .body;
      const stored = data.usage.nodes.reduce((sum: number, { requests }: { requests: number }) => sum + requests, 0);
      return stored === ALL && data.denials.totalCount === seen.denied + 1;
    },
    60_000,
    1000,
  );
});
afterAll(async () => {
  await platform.stop();
});

it('within seconds, the admin API shows the same usage as the responses to the callers', async () => {
  const { body } = await admin(`{
    usage(groupBy: [OPERATION]) { nodes { operation { name } requests denied estimatedCost actualCost } }
    topCallers { nodes { caller { kind name } requests share } }
    topFields(orderBy: REQUESTS) { nodes { field requests actualCalls } }
    operationAccuracy { operation { name } estimatedCost actualCost }
    fieldAccuracy { field assumedSize suggestedAssumedSize }
    denials { nodes { ruleName code operation { name } } }
    violations { nodes { ruleName denied } }
  }`);
  expect(body.errors).toBeUndefined();
  const { data } = body;
  const { denied, estimated: estimatedCost, actual: actualCost } = seen;
  const costs = { estimatedCost, actualCost };
  expect(data.usage.nodes).toHaveLength(2);
  expect(data.usage.nodes).toContainEqual({ operation: { name: 'Neighbours' }, requests: REQUESTS, denied, ...costs });
  expect(data.usage.nodes).toContainEqual(
    expect.objectContaining({ operation: { name: 'Personal' }, requests: 1, denied: 1, actualCost: 0 }),
  );
  expect(data.topCallers.nodes).toMatchObject([{ requests: ALL, share: 1 }]);
  expect(data.topFields.nodes).toContainEqual(expect.objectContaining({ field: 'Query.countries', requests: ALL }));
  expect(data.operationAccuracy).toContainEqual({ operation: { name: 'Neighbours' }, ...costs });
  // Most countries have fewer neighbours than the longest list, so a smaller size is suggested.
  const borders = data.fieldAccuracy.find(({ field }: { field: string }) => field === 'Country.borders');
  expect(borders.suggestedAssumedSize).toBeLessThan(borders.assumedSize);
  expect(data.denials.nodes).toHaveLength(denied + 1);
  const denials = data.violations.nodes.reduce((sum: number, { denied }: { denied: number }) => sum + denied, 0);
  expect(denials).toBe(denied + 1);
});

it('a caller with an admin token can export the same usage, and others cannot', async () => {
  const answer = await fetch(`${platform.url}/admin/usage.csv?groupBy=CALLER`, { headers: ADMIN });
  const [head = '', row = '', end] = (await answer.text()).split('\n');
  expect(end).toBe('# end, 1 rows');
  const cells = row.split(',');
  expect(cells[head.split(',').indexOf('actualCost')]).toBe(String(seen.actual));
  expect((await fetch(`${platform.url}/admin/usage.ndjson`)).status).toBe(401);
});

it.each([
  ['from=2026-03-29T00:00:00+01:00', /got "2026-03-29T00:00:00 01:00"; in a URL, write \+ as %2B"/],
  [
    'from=2026-03-29T00:00:00',
    /query\.from: expected a time such as \S+, or a day such as 2026-01-31, got "2026-03-29T00:00:00""/,
  ],
  ['groupby=TIER', /query: Unrecognized key: "groupby"; did you mean groupBy\?/],
])('an export request with %s is rejected with the expected form', async (query, message) => {
  const answer = await fetch(`${platform.url}/admin/usage.csv?${query}`, { headers: ADMIN });
  expect(answer.status).toBe(400);
  expect((await answer.text()).replaceAll('\\"', '"')).toMatch(message);
});

it('a draft of a rule can be simulated on recorded decisions', async () => {
  const { body } = await admin(`{ ruleSimulate(input: { rule: {
      name: "few", scope: USER, field: "Query.countries", measure: CALLS
      limits: [{ fixedWindow: { amount: 1, windowMs: 86400000 } }] } }) {
    simulation { decisions recordedDenied deniedBefore denied operations { name denied } } userErrors { message } } }`);
  expect(body.data.ruleSimulate).toMatchObject({
    userErrors: [],
    simulation: { decisions: ALL, recordedDenied: seen.denied + 1, deniedBefore: seen.denied + 1 },
  });
  const { denied, operations } = body.data.ruleSimulate.simulation;
  // The draft denies all operations except the first of a day. The traffic may lie on both sides of
  // midnight.
  expect([ALL - 1, ALL - 2]).toContain(denied);
  expect(operations).toContainEqual({ name: 'Neighbours', denied: denied - 1 });
});

it('the simulation of an invalid draft reports all mistakes', async () => {
  const { body } = await admin(`{ ruleSimulate(input: { replaces: "nothing", rule: {
      name: "few", scope: USER, field: "Query", match: { tiers: ["gold"] }
      limits: [{ fixedWindow: { amount: 1, windowMs: 0 } }] } }) { simulation { denied } userErrors { code field message } } }`);
  const { simulation, userErrors } = body.data.ruleSimulate;
  expect(simulation).toBeNull();
  const fields = userErrors.map(({ field }: { field: string[] }) => field.join('.'));
  expect(fields).toEqual(expect.arrayContaining(['rule.field', 'rule.limits.0.fixedWindow.windowMs', 'replaces']));
});

it('a denial shows its document and the denied price, without the string values of the caller', async () => {
  type Denial = { document: { id: string; text: string } | null; variables: unknown; requestedCost: number };
  const asked =
    '{ denials(filter: { operation: "Personal" }) { nodes { requestedCost variables document { id text } } } }';
  const [denial]: [Denial] = (await admin(asked)).body.data.denials.nodes;
  const { document, requestedCost } = denial;
  expect(denial.variables).toEqual({ first: 55, of: '' });
  expect(document!.text).toContain('other: country(code: "")');
  expect(JSON.stringify(denial)).not.toMatch(/ann@|1985/);
  const explained = await admin({
    query:
      'query($input: CostExplainInput!) { costExplain(input: $input) { explanation { cost } userErrors { message } } }',
    variables: { input: { query: document!.text, variables: denial.variables } },
  });
  expect(explained.body.data.costExplain).toEqual({ explanation: { cost: requestedCost }, userErrors: [] });
  const found = await admin(`{ deniedDocument(id: "${document!.id}") { text } }`);
  expect(found.body.data.deniedDocument.text).toBe(document!.text);
});
