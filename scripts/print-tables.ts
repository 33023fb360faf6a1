// Prints tables of docs/ from the code, each between two comments of its page: `<!-- settings:
// generated -->` and `<!-- /settings -->`. The rest of the page is written by hand. With --check
// the script writes nothing and fails if a table is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import ts from 'typescript';
import { MEASURED } from '../src/capacity/measured.js';
import { ERRORS } from '../src/model/errors.js';
import { countCallers } from '../src/observability/metrics/count-callers.js';
import { createDeciderMetrics } from '../src/observability/metrics/create-decider-metrics.js';
import { createMetrics } from '../src/observability/metrics/create-metrics.js';
import { countEngineFailures, countFallenBehind } from '../src/observability/metrics/engine-metrics.js';
import { loadPromClient } from '../src/observability/metrics/load-prom-client.js';
import { showUpstream, timeUpstream } from '../src/observability/metrics/upstream-metrics.js';
import { capacityCommand } from '../src/server/commands/capacity/capacity-command.js';
import type { SettingDeclaration } from '../src/server/config/setting-declaration.js';
import { POOL_VARIABLES, SETTINGS } from '../src/server/config/setting-flags.js';
import { createServerMetrics } from '../src/server/http/server-metrics.js';
import { CAPACITY_CONSTANTS } from './capacity-constants.js';

interface Table {
  page: string;
  /** Name of the table in the two comments. */
  name: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Output of a command, as a block after the table. @default none */
  output?: string;
}

/**
 * Matches code in the plain text of a `# HELP` line: flags, paths, names in capitals or camel case,
 * and labels or their values in parentheses.
 */
const CODE = /--[a-z-]+|(?<= )\/[a-z]+|\b[A-Z]+_[A-Z]+\b|\b[a-z]+[A-Z]\w*|(?<=[^"]\()\w+(?=\))|"\(\w+\)"/g;

/** Pages that describe a metric in more detail than its `# HELP` line. */
const LINKS: Readonly<Record<string, string>> = {
  tollgate_change_propagation_seconds: '[rules.md](rules.md#when-a-change-is-in-force)',
  tollgate_engine_errors_total: '[failure-modes.md](failure-modes.md#r5-redis-rejects-calls)',
  tollgate_subscription_events_total: '[subscriptions.md](subscriptions.md#denied-events)',
  tollgate_remembered_denials_total: '[limits.md](limits.md#callers-who-are-denied-again-and-again)',
  tollgate_lease_decisions_total: '[leases.md](leases.md)',
  tollgate_region_share_percent: '[regions.md](regions.md#shares-that-follow-the-demand)',
  tollgate_usage_seen_total: '[usage.md](usage.md)',
  tollgate_usage_suppressed_events_total: '[usage.md](usage.md#what-callers-choose-is-bounded)',
  tollgate_postgres_connections_in_use: '[runbook.md](runbook.md#connections-to-postgresql)',
  tollgate_decider_decisions_total: '[decisions.md](decisions.md)',
  tollgate_upstream_requests: '[gateway.md](gateway.md)',
};

const TABLES: readonly Table[] = [
  {
    page: 'docs/configuration.md',
    name: 'settings',
    head: ['variable', 'flag', 'default', 'description'],
    rows: Object.entries<SettingDeclaration>(SETTINGS).flatMap(rowsOfSetting),
  },
  {
    page: 'docs/observability.md',
    name: 'metrics',
    head: ['metric', 'type', 'what'],
    rows: rowsOfMetrics(await registeredMetrics()),
  },
  {
    page: 'docs/responses.md',
    name: 'errors',
    head: ['`extensions.code`', 'status', 'when', 'other members of `extensions`'],
    rows: rowsOfErrors(),
  },
  {
    page: 'docs/capacity.md',
    name: 'constants',
    head: ['constant', 'value', 'rounds', 'what'],
    rows: Object.entries(CAPACITY_CONSTANTS).map(([name, what]) => {
      const { value, least, most } = MEASURED[name as keyof typeof MEASURED];
      const [shown, from, to] = [value, least, most].map((one) => one.toLocaleString('en-US'));
      return [`\`${name}\``, shown!, `${from} to ${to}`, what];
    }),
  },
  {
    page: 'docs/capacity.md',
    name: 'example',
    head: ['users', 'operations a second', 'limits', 'regions'],
    rows: [['10 million', '100,000', '6', '3']],
    output: outputOf(['--users', '10M', '--rps', '100k', '--limits', '6', '--regions', '3']),
  },
];

function outputOf(args: string[]): string {
  let text = '';
  capacityCommand(args, { stdout: { write: (more) => (text += more) }, stderr: process.stderr });
  return text;
}

for (const table of TABLES) {
  const path = fileURLToPath(new URL(`../${table.page}`, import.meta.url));
  const present = readFileSync(path, 'utf8');
  const text = withTable(present, table);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (present !== text) {
    console.error(`The table of ${table.name} in ${table.page} is out of date: run \`npm run generate\`.`);
    process.exitCode = 1;
  }
}

function withTable(text: string, { page, name, head, rows, output }: Table): string {
  const [first, last] = [`<!-- ${name}: generated -->`, `<!-- /${name} -->`];
  const [before, between, ...others] = text.split(first);
  const after = between?.split(last)[1];
  if (before === undefined || after === undefined || others.length > 0)
    throw new Error(`${page}: expected ${first} once, and ${last} after it`);
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `|${cells.map(toCell).join('|')}|`);
  const block = output === undefined ? '' : `\n\n\`\`\`text\n${output}\`\`\``;
  return `${before}${first}\n\n${lines.join('\n')}${block}\n\n${last}${after}`;
}

function toCell(content: string): string {
  const text = content.replace(/\s+/g, ' ').trim();
  return text === '' ? ' ' : ` ${text.replace(/(?<!\\)\|/g, '\\|')} `;
}

/** Adds a capital letter and a full stop. Most texts of the code have neither. */
function toSentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** Returns the row of a setting. The row of the pools is followed by those of their variables. */
function rowsOfSetting(setting: [string, SettingDeclaration]): string[][] {
  const others = setting[0] === 'TOLLGATE_POOLS' ? Object.entries<SettingDeclaration>(POOL_VARIABLES) : [];
  return [setting, ...others].map(rowOfSetting);
}

function rowOfSetting([variable, { flag, description, docs, reads, defaultText }]: [
  string,
  SettingDeclaration,
]): string[] {
  const byDefault: unknown = reads.safeParse(undefined).data;
  // A flag that is on by default is shown as `--flag=false`, because `--flag` alone would not
  // change it.
  const written = flag === undefined ? '' : `\`--${flag}${byDefault === true ? '=false' : ''}\``;
  return [`\`${variable}\``, written, defaultText ?? defaultOf(byDefault), toSentence(docs ?? description)];
}

function defaultOf(value: unknown): string {
  if (value === undefined || String(value) === '') return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'number' ? String(value) : `\`${value}\``;
}

/** A metric of prom-client or Tollgate, with the members that the types of prom-client hide. */
interface Metric {
  name: string;
  help: string;
  type: string;
  labelNames: readonly string[];
}

/**
 * Returns all metrics, from the functions with which a server and a gateway register them. No
 * metric value is read.
 */
async function registeredMetrics(): Promise<Metric[]> {
  const registry = new Registry();
  const unused = {} as never;
  await loadPromClient();
  createMetrics({
    registry,
    analyzer: unused,
    limiter: unused,
    redis: [unused],
    pools: unused,
    usage: unused,
    hotCallers: unused,
    addressUsers: unused,
    streams: unused,
  });
  countEngineFailures(registry);
  countFallenBehind(registry);
  countCallers(registry);
  await createServerMetrics(registry);
  createDeciderMetrics(registry, unused).measure(unused);
  showUpstream(registry, unused);
  timeUpstream(registry);
  return registry.getMetricsAsArray() as unknown as Metric[];
}

function rowsOfMetrics(metrics: readonly Metric[]): string[][] {
  const missing = Object.keys(LINKS).filter((name) => !metrics.some((metric) => metric.name === name));
  if (missing.length > 0) throw new Error(`LINKS: there is no metric ${missing.join(', ')}`);
  const own = metrics.filter(({ name }) => name.startsWith('tollgate_'));
  const rows = own.map(({ name, help, type, labelNames }) => {
    const labels = labelNames.length > 0 ? `{${labelNames.join(',')}}` : '';
    const link = LINKS[name] === undefined ? '' : ` See ${LINKS[name]}.`;
    return [`\`${name}${labels}\``, type, `${toSentence(help).replace(CODE, '`$&`')}${link}`];
  });
  return [...rows, ['`process_*`, `nodejs_*`', '', 'Metrics of the process, by prom-client.']];
}

/**
 * Returns the rows of the errors. Status and code come from the table of errors, everything else
 * from its comments.
 */
function rowsOfErrors(): string[][] {
  const file = 'src/model/errors.ts';
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  const comments = new Map<string, ts.JSDoc>();
  const visit = (node: ts.Node): void => {
    const comment = ts.isPropertyAssignment(node) ? ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc) : undefined;
    if (comment) comments.set((node as ts.PropertyAssignment).name.getText(), comment);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return Object.entries(ERRORS).map(([code, { status }]) => {
    const comment = comments.get(code);
    const tagged = (name: string) =>
      ts.getTextOfJSDocComment(comment?.tags?.find(({ tagName }) => tagName.text === name)?.comment);
    const [when, statuses = String(status), members = ''] = [
      ts.getTextOfJSDocComment(comment?.comment),
      tagged('status'),
      tagged('extensions'),
    ];
    if (when === undefined || !statuses.startsWith(String(status)))
      throw new Error(`${file}: ${code} needs a comment, whose @status begins with ${status}`);
    return [`[\`${code}\`](troubleshooting.md#${code.toLowerCase()})`, statuses, when, members];
  });
}
