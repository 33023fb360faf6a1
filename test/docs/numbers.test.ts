import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { COUNTER_OPTIONS } from '../../src/options/counter-options.js';
import { DEFAULT_TIERS } from '../../src/rules/policy/default-tiers.js';
import { ALL_IDS } from '../report/fault-report.js';
import { PAGES, ROOT } from './documents.js';

// Compares the numbers in the text of the pages with those of the code. test/cost/docs.test.ts
// checks prices, and defaults.test.ts next to this file checks defaults. `npm run bench` and the
// fault suite repeat measurements.

/**
 * Returns a number constant of a source file, or a member of an object constant
 * (`BUCKET.capacity`). Most of the constants are not exported.
 */
function constant(file: string, name: string): number {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.ES2022, true);
  const initializerOf = (wanted: string): ts.Expression | undefined =>
    source.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .find((one) => one.name.getText() === wanted)?.initializer;
  const value = (node: ts.Expression | undefined): number => {
    if (node && ts.isNumericLiteral(node)) return Number(node.text);
    if (node && ts.isIdentifier(node)) return value(initializerOf(node.text));
    if (node && ts.isBinaryExpression(node)) {
      const [left, right] = [value(node.left), value(node.right)];
      if (node.operatorToken.kind === ts.SyntaxKind.AsteriskToken) return left * right;
      if (node.operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskToken) return left ** right;
    }
    throw new Error(`${file} has no number for ${name}`);
  };
  const [object = '', member] = name.split('.');
  let node = initializerOf(object);
  while (node && ts.isAsExpression(node)) node = node.expression;
  if (member === undefined || !node || !ts.isObjectLiteralExpression(node)) return value(node);
  return value(
    node.properties.filter(ts.isPropertyAssignment).find((one) => one.name.getText() === member)?.initializer,
  );
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
/** Formats a number as the pages do: 10,000. */
const n = (value: number) => value.toLocaleString('en-US');
const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const word = (value: number) => WORDS[value] ?? String(value);
const capitalized = (text: string) => text[0]!.toUpperCase() + text.slice(1);
const MIB = 2 ** 20;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const manifest = JSON.parse(read('package.json'));
const node = manifest.engines.node.replace('>=', '');
const [tier] = DEFAULT_TIERS;
const perSecond = (tier!.refillAmount! * 1000) / tier!.refillPeriodMs!;

const LIMIT = 'src/model/limit-parameters.ts';
const SESSIONS = 'src/rules/store/create-console-session-store.ts';
const ADMIN = 'src/admin/create-admin-protection.ts';
const DOCUMENTS = 'src/usage/record/create-denied-documents.ts';
const INTROSPECTION = 'src/rules/matching/introspection.ts';
const BREAKER = 'src/limiter/fallback/breaker.ts';
const PERSISTED = 'src/documents/create-persisted-texts.ts';
const STREAM = read('src/admin/http/create-graphql-streams.ts');

/** Conditions of each alert: the duration, and the number with which it compares (not the 0 of a filter `(a > 0)`). */
const alerts = new Map<string, { minutes: number; above: number }>(
  (parseYaml(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Record<string, string>[] }[] }).groups
    .flatMap(({ rules }) => rules)
    .map((rule) => [
      rule['alert']!,
      { minutes: Number.parseFloat(rule['for'] ?? '0'), above: Number(/> (?!0\))([\d.]+)/.exec(rule['expr']!)?.[1]) },
    ]),
);
const alert = (name: string) => alerts.get(name)!;

/** Seconds of a setting of the documented configuration of HAProxy. */
const haproxy = (setting: string) => new RegExp(`\\b${setting} (\\d+)s`).exec(read('deploy/haproxy/haproxy.cfg'))![1]!;

/** Time for which Redis keeps the copy of a caller or an API key. */
const STALE_MS = Number(/staleMs = ([\d_]+)/.exec(read('src/rules/live/subject-cache.ts'))![1]!.replaceAll('_', ''));
/** Maximum number of events that a process stores in a second. */
const EVENTS_A_SECOND = Number(
  /TOLLGATE_EVENTS_PER_SECOND.*?default\((\d+)\)/s.exec(read('src/server/config/setting-flags.ts'))![1],
);

/** Statements of each page, with the numbers of the code. */
const CLAIMS: Readonly<Record<string, readonly string[]>> = {
  'README.md': [
    `nothing but Node ${node} or later`,
    `\`npm i tollgate\` has ${word(Object.keys(manifest.dependencies).length)} dependencies`,
    `a bucket of ${n(tier!.capacity!)} tokens for each caller, refilled by ${perSecond} a second`,
  ],
  'CONTRIBUTING.md': [`Node ${node} or later`],
  'SECURITY.md': [`${constant('src/server/http/listen.ts', 'MAX_HEADER_BYTES') / 1024} KB of headers`],
  'docs/getting-started.md': [`a bucket of ${n(tier!.capacity!)} tokens that refills by ${perSecond} a second`],
  'docs/admin-api.md': [
    `Each process reports every ${word(constant('src/postgres/is-alive.ts', 'BEAT_MS') / 1000)} seconds; a killed process is removed from the list after ${(3 * constant('src/postgres/is-alive.ts', 'BEAT_MS')) / 1000} seconds.`,
    `a bucket of ${n(constant(ADMIN, 'BUCKET.capacity'))} tokens (refilled by ${n(constant(ADMIN, 'BUCKET.refillAmount'))} a second)`,
    `A request that is not a valid query, or has no valid token, costs ${constant(ADMIN, 'FEE')} tokens. A request without a valid token is charged to its address, which has ${n(constant(ADMIN, 'STRANGERS_BUCKET.capacity'))} tokens (refilled by ${constant(ADMIN, 'STRANGERS_BUCKET.refillAmount')} a second)`,
    `A token can log in to the console ${constant(ADMIN, 'LOGIN_BUCKET.capacity')} times in a burst`,
    `\`first\` (1 to ${constant('src/admin/schema/connection.ts', 'MAX_FIRST')}, 20 by default)`,
    `counted up to ${n(constant('src/admin/schema/connection.ts', 'MAX_TOTAL'))}`,
    `up to ${constant('src/rules/store/credentials.ts', 'MAX_OVERLAP_MS') / DAY_MS} days`,
    `\`subjectAssignTiers\` does so for up to ${constant('src/rules/store/create-tier-assignment.ts', 'MAX_ASSIGNMENTS')} of them`,
  ],
  'docs/responses.md': [
    `than the gateway forwards (${constant('src/gateway/headers-for-upstream.ts', 'MAX_BYTES') / 1024} KiB)`,
    `texts of up to ${n(constant(PERSISTED, 'MAX_SHARED_BYTES'))} bytes through Redis`,
    `counts as a ${{ 50: 'fiftieth' }[constant('src/documents/count-comparisons.ts', 'UNITS')]}`,
  ],
  'docs/console.md': [
    `ends ${{ 30: 'half an hour' }[constant(SESSIONS, 'SESSION_IDLE_MS') / MINUTE_MS]} after its last use, ${word(constant(SESSIONS, 'SESSION_LONGEST_MS') / HOUR_MS)} hours after the log-in`,
    `reports a change for ${word(constant('console/src/parts/feedback/toasts.tsx', 'SHOWN_MS') / 1000)} seconds`,
  ],
  'docs/gateway.md': [
    `at most a quarter of these requests (or ${constant('src/gateway/upstream/create-upstream-places.ts', 'LEAST_EACH')}, if a quarter is fewer)`,
    `more than ${constant('src/gateway/upstream/create-upstream-sender.ts', 'DUMP_BYTES') / 1024} KiB have arrived`,
  ],
  'docs/glossary.md': [`the ${n(constant('src/limiter/redis/slot-of.ts', 'SLOTS'))} parts of a Redis Cluster`],
  'docs/limits.md': [
    `\`amount\` up to ${n(constant(LIMIT, 'MAX_LOG_AMOUNT'))}`,
    `\`capacity\` up to ${n(constant(LIMIT, 'MAX_SLOTS'))}`,
    `is at most 2^${Math.log2(constant(LIMIT, 'MAX_UNITS'))}`,
    `A key contains at most ${constant(LIMIT, 'MAX_LIMITS')} counters`,
    `One charge contains at most ${constant(LIMIT, 'MAX_LIMITS')} limits`,
    `writes a heartbeat to Redis every ${word(constant('src/limiter/redis/instances.ts', 'BEAT_MS') / 1000)} seconds`,
    `the last second had at least ${word(COUNTER_OPTIONS.breakerMinCalls.default)} calls and at least ${{ 50: 'half' }[COUNTER_OPTIONS.breakerFailurePercent.default]} of them failed`,
    `after ${word(COUNTER_OPTIONS.breakerFailuresInRow.default)} failures in a row`,
    `Tollgate sends the first after ${constant(BREAKER, 'FIRST_PROBE_MS')} ms, the second after ${2 * constant(BREAKER, 'FIRST_PROBE_MS')} ms more, and each further probe after ${{ 1000: 'one second' }[COUNTER_OPTIONS.breakerProbeMs.default]}`,
  ],
  'docs/observability.md': [
    `p99 above ${alert('TollgateDecisionsSlow').above * 1000} ms (\`warn\`) or ${alert('TollgateDecisionsVerySlow').above * 1000} ms (\`page\`) for ${alert('TollgateDecisionsSlow').minutes} minutes`,
    `more than ${alert('TollgateErrors').above * 100} % (\`info\`), ${alert('TollgateErrorsHigh').above * 100} % (\`warn\`) or ${alert('TollgateErrorsVeryHigh').above * 100} % (\`page\`) of responses are 5xx`,
    `more than ${alert('TollgateRedisMemory').above * 100} % (\`warn\`) or ${alert('TollgateRedisFull').above * 100} % (\`page\`) of \`maxmemory\``,
    `uses more than ${alert('TollgateCpu').above * 100} % of a core for ${alert('TollgateCpu').minutes} minutes`,
    `more than ${alert('TollgateFilesFull').above * 100} % of the file descriptors of a process are in use for ${alert('TollgateFilesFull').minutes} minutes`,
    `more than ${alert('TollgateSubscriptionsFull').above * 100} % of \`--max-upstream-subscriptions\` of a gateway are open for ${alert('TollgateSubscriptionsFull').minutes} minutes`,
    `for ${alert('TollgateEventsDropped').minutes} minutes, a process drops more than ${alert('TollgateEventsDropped').above * 100} % of the events`,
    `more than ${{ 0.25: 'a quarter' }[alert('TollgateRejectionsHigh').above]} of all operations is denied for ${alert('TollgateRejectionsHigh').minutes} minutes`,
    `more than ${n(alert('TollgateHotCaller').above)} decisions a second for ${alert('TollgateHotCaller').minutes} minutes`,
    `more than ${n(alert('TollgateSharedAddress').above)} identified users of one process have the same address for ${alert('TollgateSharedAddress').minutes} minutes`,
    `at most ${/Maximum number of open streams[^@]*@default (\d+)/.exec(STREAM)![1]} streams at the same time, and at most ${constant('src/admin/create-admin-streams.ts', 'STREAMS_PER_TOKEN')} for each token`,
  ],
  'docs/failure-modes.md': [
    `keeps its share for ${(3 * constant('src/limiter/redis/instances.ts', 'BEAT_MS')) / 1000} s`,
    `the latest ${n(constant('src/rules/live/create-disabled-subjects.ts', 'MAX_DISABLED_SUBJECTS'))} | callers |`,
    `the latest ${n(constant('src/rules/live/create-disabled-subjects.ts', 'MAX_DISABLED_SUBJECTS'))} users and tenants`,
    `${n(constant('src/rules/live/create-kept-callers.ts', 'MAX_UNKNOWN_KEYS'))} hashes`,
    `${n(constant('src/rules/live/create-key-use.ts', 'MAX_KEYS'))} prefixes; ${n(constant('src/rules/live/create-key-use.ts', 'MAX_WAITING'))} that wait to be written`,
    `${constant('src/usage/record/create-name-numbers.ts', 'MAX_KNOWN_BYTES') / MIB} MiB for each kind of name`,
    `names of at most ${constant('src/runtime/stored-text.ts', 'MAX_NAME_BYTES')} bytes`,
    `${n(constant('src/observability/live/create-traffic-counter.ts', 'MAX_SUBJECTS'))} callers a second, for ${constant('src/observability/live/create-traffic-counter.ts', 'REMEMBERED_MS') / 1000} seconds`,
    `${n(constant('src/limiter/charge/create-limit-compiler.ts', 'MAX_COMPILED'))}; ${n(constant('src/limiter/charge/create-charge-reader.ts', 'MAX_SETS'))} | limits, sets |`,
    `${n(constant('src/cost/price/field-estimates.ts', 'MAX_KEPT_NUMBERS'))} in each plan`,
    `| look-ups of persisted queries in Redis at the same time | ${constant(PERSISTED, 'MAX_LOOKUPS')} |`,
  ],
  'docs/capacity.md': [
    `at most ${n(EVENTS_A_SECOND * 86_400)} rows a day for each process`,
    `the last ${{ 3600000: 'hour' }[STALE_MS]}`,
    `${(4096 * constant(PERSISTED, 'MAX_SHARED_BYTES')) / MIB} MiB at most`,
  ],
  'docs/runbook.md': [
    `checks \`/readyz\` every ${haproxy('check inter')} s, with a timeout of ${haproxy('timeout check')} s`,
  ],
  'docs/rules.md': [
    `One step can charge ${constant(LIMIT, 'MAX_LIMITS')} limits. ${capitalized(word(constant('src/rules/policy/too-many-limits.ts', 'NOT_OF_RULES')))} of them are reserved`,
    `It admits ${constant(INTROSPECTION, 'BUCKET.capacity')} calls, and ${word(constant(INTROSPECTION, 'BUCKET.refillAmount'))} more in each second`,
  ],
  'docs/leases.md': [
    `with a sketch of ${constant('src/observability/live/hot-callers.ts', 'MAX_HOT_CALLERS')} callers`,
    `fewer tokens than ${word(constant('src/limiter/charge/lease.ts', 'FEWEST_OPERATIONS'))} operations need`,
    `at most a ${{ 16: 'sixteenth' }[constant('src/limiter/lease/lease-renewals.ts', 'FEWEST_PARTS')]} of the remaining amount of the shared counter`,
  ],
  'docs/usage.md': [
    `cut to ${constant('src/runtime/stored-text.ts', 'MAX_NAME_BYTES')} bytes, and all other texts to ${constant('src/usage/record/create-name-numbers.ts', 'MAX_STORED_BYTES')}`,
    `per process, over ${constant('src/usage/record/create-decision-sample.ts', 'WINDOW_MS') / 1000} seconds`,
    `longer than ${constant(DOCUMENTS, 'MAX_STORED_BYTES') / 1024} kB are not stored. Each process adds at most ${constant(DOCUMENTS, 'NEW_IN_A_MINUTE')} new documents a minute, and ${word(constant(DOCUMENTS, 'NEW_OF_A_CALLER'))} of one caller. At most ${n(constant('src/usage/record/drop-old-usage.ts', 'MOST_DOCUMENTS'))} documents are kept`,
    `of the newest ${n(constant('src/usage/query/operation-spread.ts', 'MOST_DECISIONS'))} decisions in the log`,
    `A simulation looks at ${n(constant('src/admin/resolvers/simulation-resolver.ts', 'MAX_DECISIONS'))} decisions at most`,
    `cost the administrator's bucket ${n(constant(ADMIN, 'EXPORT_PAGE_COST'))} tokens`,
    `differs from its estimate by more than a ${{ 0.1: 'tenth' }[constant('src/admin/context/present-usage.ts', 'WORTH_A_CHANGE')]}`,
  ],
};

describe.each(Object.entries(CLAIMS))('numbers in %s', (page, claims) => {
  const text = PAGES.get(page)!.replace(/\s+/g, ' ');
  it.each(claims)('the documented number equals that in the code: %s', (claim) => {
    expect(text.includes(claim)).toBe(true);
  });
});

it('the README repeats the measured processor times of the page about capacity', () => {
  const measured = [...PAGES.get('README.md')!.matchAll(/(\d\.\d\d) ms/g)].map(([, ms]) => ms!);
  expect(measured).toHaveLength(3);
  expect(measured.filter((ms) => !PAGES.get('docs/capacity.md')!.includes(`${ms} ms`))).toEqual([]);
});

it('the first pages contain no number outside this list, except codes, dates and list positions', () => {
  const counted = [
    'README.md',
    'docs/getting-started.md',
    'docs/runbook.md',
    'docs/federation.md',
    'docs/comparison.md',
  ];
  const others = [
    // A description of a picture, and an example of a value.
    'enforce it for 10 %',
    '`users(first: 50)` is 50 users',
    // Numbers of the first sample. A test compares its response with that of the platform.
    'could return 34 objects, so its estimated cost (`requestedQueryCost`) is 34. It returned 8 objects, so only 8 tokens were charged',
    // Checked with the defaults.
    'a list counts as 10',
    // Names, and an exit status.
    'ODbL-1.0',
    'Bucket4j',
    'exits with 1',
    // A setting with a value. A test starts instances with it.
    '`TOLLGATE_TRUSTED_PROXIES=1`',
    // Measured figures, which the test above compares with docs/capacity.md, and their date.
    'needs 0.58 ms of CPU for this operation without a limiter, 0.63 ms with six limits in memory and 0.91 ms with six limits in Redis',
    '2026-11-27',
  ];
  const left = counted.flatMap((page) => {
    let text = PAGES.get(page)!
      .replace(/## Plan capacity\n[\s\S]*$/, '')
      .replace(/^( *)```[\s\S]*?^ *```/gm, '')
      .replace(/\]\([^)]*\)/g, ']');
    text = text.replace(/^(#+ )?\d+\. /gm, '$1').replace(/\s+/g, ' ');
    for (const known of [...(CLAIMS[page] ?? []), ...others]) text = text.replaceAll(known, '');
    // Removes HTTP statuses, which the table of errors lists, and names of faults such as [P1].
    text = text.replace(/\b(HTTP )?[45]\d\d\b|\[[A-Z]\d+\]/g, '');
    return [...text.matchAll(/.{0,30}\d.{0,30}/g)].map(([around]) => `${page}: ${around}`);
  });
  expect(left).toEqual([]);
});

it('the families of attacks have consecutive numbers, those of the report of the attack tests', () => {
  const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
  const cells = [...text.matchAll(/^\| (A\d[^|]*) \|/gm)].map(([, cell]) => cell!);
  const numbered = cells.flatMap((cell) => [...cell.matchAll(/A(\d+)/g)].map(([, number]) => Number(number)));
  const ids = numbered.sort((one, other) => one - other).map((number) => `A${number}`);
  expect(ids).toEqual(ALL_IDS.filter((id) => id.startsWith('A')));
});
