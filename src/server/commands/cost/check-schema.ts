import { existsSync } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import type { ExactPrice } from '../../../cost/annotations/cost-overlay.js';
import type { SchemaProblem } from '../../../cost/annotations/schema-problem.js';
import type { GuessGroup } from '../../../cost/check/group-guesses.js';
import type { CostAnalyzer } from '../../../cost/create-cost-analyzer.js';
import { findFittingPreset } from '../../../cost/overlay/find-fitting-preset.js';
import { compareSchemas, type PricedSchema } from '../../../gateway/schema/compare-schemas.js';
import { type CostsFile, readCostsFile } from '../../costs/costs-file.js';
import { describeGroup } from '../../costs/describe-group.js';
import { readText } from '../read-text.js';
import type { CommandOutput } from '../take-command-line.js';
import { findGuessEffects, type GuessEffects, orderGroups, shareOf } from './guess-effects.js';
import { readOperations } from './read-operations.js';
import { readSchemaFiles } from './read-schema-files.js';
import { adviceOnArguments, isJson, withoutKeys, writeComments } from './write-comments.js';
import { writeCosts } from './write-costs.js';

interface SchemaCheck {
  analyzer: CostAnalyzer;
  schema: GraphQLSchema;
  costs: CostsFile | undefined;
  /**
   * Path of an earlier version of the schema or of its prices. The command prints the differences.
   */
  earlier: string | undefined;
  /**
   * Operations whose cost determines the order of the guesses, in the form that `readOperations`
   * expects.
   */
  queries: readonly string[];
  operationName: string | undefined;
  variables: Readonly<Record<string, unknown>>;
  /**
   * Number of recent days of the decision log in `DATABASE_URL`. If set, these decisions determine
   * the order instead of `queries`.
   */
  recordedDays: number | undefined;
  /** Whether the output is JSON. */
  isJson: boolean;
  /** Path of the file of prices to which the command adds the advised entries. */
  writeTo: string | undefined;
}

/** Maximum number of printed groups of guesses, one line each, so that they fit on a screen. */
const MAX_GROUPS = 12;

/**
 * Runs `--check-schema`: prints the mistakes in the annotations of a schema, the lists without a
 * size, and the differences from `earlier`.
 * @returns the exit code
 */
export async function checkSchema(check: SchemaCheck, { stdout, stderr }: CommandOutput): Promise<number> {
  const { analyzer, schema, costs, earlier, writeTo } = check;
  const before = earlier === undefined ? undefined : await readEarlier(earlier, check);
  const problems = analyzer.check();
  const found = analyzer.guesses();
  const effects = await readEffects(check, found);
  const groups = orderGroups(found, effects);
  const errors = problems.filter((problem) => problem.severity === 'error').length;
  const changes = before && describeChanges(before, pricedBy(costs, schema));
  const others = withoutGuesses(problems, found);
  const preset = findFittingPreset(schema);
  const advised = preset !== undefined && costs?.inference.presets?.includes(preset) !== true ? preset : undefined;
  if (check.isJson) {
    stdout.write(
      `${JSON.stringify(jsonOf({ problems: others, groups, effects, preset: advised, changes }), null, 2)}\n`,
    );
  } else {
    const lineOf = (problem: SchemaProblem) => `${problem.severity}: ${describeProblem(problem, costs)}\n`;
    for (const problem of others) if (problem.severity === 'error') stdout.write(lineOf(problem));
    for (const group of groups.slice(0, MAX_GROUPS)) {
      const share = effects && shareOf(group, effects);
      stdout.write(`warning: ${describeGroup(group, { ...(share && { share }), isOwnSchema: true })}\n`);
    }
    if (isLong(groups)) stdout.write(`${adviceOn(groups, advised)}\n`);
    for (const problem of others) if (problem.severity !== 'error') stdout.write(lineOf(problem));
    stdout.write(errors === 0 ? 'OK: all annotations are valid\n' : `${errors} wrong\n`);
    if (changes)
      stdout.write(changes.length === 0 ? `nothing has changed since ${earlier}\n` : `${changes.join('\n')}\n`);
  }
  if (writeTo !== undefined) {
    const line = await writeAdvice(writeTo, groups, others);
    // Standard output contains only JSON.
    (check.isJson ? stderr : stdout).write(`${writeTo}: ${line}\n`);
  }
  for (const problem of effects?.problems ?? []) stderr.write(`${problem}\n`);
  if (errors > 0) return 1;
  return (effects?.problems.length ?? 0) > 0 ? 2 : 0;
}

/**
 * Adds the advised entries to a file of prices. Entries for arguments that look like list sizes are
 * added as comments, because such an argument may have another meaning.
 * @returns a description of the result
 */
async function writeAdvice(
  file: string,
  groups: readonly GuessGroup[],
  problems: readonly SchemaProblem[],
): Promise<string> {
  const onArguments = adviceOnArguments(problems);
  const { added, kept } = await writeCosts(file, withoutKeys(groups, onArguments));
  const text = existsSync(file) ? readText('--write-costs', file) : '';
  const comments = isJson(file, text) ? 0 : await writeComments(file, onArguments);
  const asComments =
    comments === 0 ? '' : `; ${entries(comments)} added as ${comments === 1 ? 'a comment' : 'comments'}`;
  const besides = kept === 0 ? '' : `; ${kept === 1 ? '1 existing entry' : `${kept} existing entries`} kept`;
  return `${entries(added)} added${asComments}${besides}`;
}

function describeProblem(problem: SchemaProblem, costs: CostsFile | undefined): string {
  const { coordinate, message, overlayKey, entry } = problem;
  if (overlayKey !== undefined) return costs!.describe(problem);
  return `${coordinate}: ${message}${entry === undefined ? '' : `; in a file of prices: ${entry}`}`;
}

function entries(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}

async function readEffects(check: SchemaCheck, groups: readonly GuessGroup[]): Promise<GuessEffects | undefined> {
  const { analyzer, schema, queries, operationName, variables, recordedDays } = check;
  if (recordedDays !== undefined) {
    // Load it only here, because the rest of the command needs no database.
    const { findRecordedEffects } = await import('./find-recorded-effects.js');
    return findRecordedEffects(groups, recordedDays);
  }
  if (queries.length === 0) return undefined;
  const { operations, problems } = readOperations({ queries, schema, operationName });
  const effects = findGuessEffects({ analyzer, groups, operations, variables });
  return { ...effects, problems: [...problems, ...effects.problems] };
}

function withoutGuesses(problems: readonly SchemaProblem[], groups: readonly GuessGroup[]): SchemaProblem[] {
  const guesses = new Set(
    groups.flatMap((group) => group.guesses.map(({ coordinate, message }) => `${coordinate}: ${message}`)),
  );
  return problems.filter(({ coordinate, message }) => !guesses.has(`${coordinate}: ${message}`));
}

/**
 * Returns whether a summary with advice is printed. If there are only a few lists, the line of each
 * list already contains its advice.
 */
function isLong(groups: readonly GuessGroup[]): boolean {
  return groups.length > 3 || groups.some(({ guesses }) => guesses.length > 1);
}

function adviceOn(groups: readonly GuessGroup[], preset: string | undefined): string {
  const count = (some: readonly GuessGroup[]) => some.reduce((sum, { guesses }) => sum + guesses.length, 0);
  const rest = groups.slice(MAX_GROUPS);
  const more =
    rest.length === 0 ? '' : `and ${rest.length} more groups with ${count(rest)} lists (--json prints all groups); `;
  const known =
    preset === undefined ? '' : `; the preset "${preset}" is made for this schema: "presets: [${preset}]" in the file`;
  return `${more}${count(groups)} sizes are guesses: --write-costs FILE writes entries for them, which --costs reads${known}`;
}

function hasCost({ kind }: GuessGroup, { source }: GuessEffects): boolean {
  return source === 'given' || kind === 'ALWAYS';
}

interface CheckReport {
  readonly problems: readonly SchemaProblem[];
  readonly groups: readonly GuessGroup[];
  readonly effects: GuessEffects | undefined;
  readonly preset: string | undefined;
  readonly changes: readonly string[] | undefined;
}

function jsonOf({ problems, groups, effects, preset, changes }: CheckReport): object {
  return {
    problems,
    groups: groups.map((group) => ({
      kind: group.kind,
      name: group.name,
      arguments: group.arguments,
      guesses: group.guesses.map(({ coordinate, message }) => ({ coordinate, message })),
      entries: group.entries,
      taken: group.taken,
      ...(effects && hasCost(group, effects) && { cost: effects.byGroup.get(group) ?? 0 }),
    })),
    ...(effects && { operations: { count: effects.operations, cost: effects.cost } }),
    ...(preset !== undefined && { preset }),
    ...(changes && { changes }),
  };
}

/**
 * Reads the file of `--diff`. If it contains prices, they are applied to the current schema. If it
 * contains a schema, the current prices are applied to that schema.
 */
async function readEarlier(file: string, { schema, costs }: SchemaCheck): Promise<PricedSchema> {
  if (isCosts(file)) return pricedBy(await readCostsFile(file), schema);
  return pricedBy(costs, readSchemaFiles([file], '--diff').schema);
}

function pricedBy(costs: CostsFile | undefined, schema: GraphQLSchema): PricedSchema {
  return { schema, overlay: costs?.overlay, presets: costs?.inference.presets };
}

function isCosts(file: string): boolean {
  const text = readText('--diff', file);
  if (!text.trimStart().startsWith('{')) return /\.ya?ml$/i.test(file);
  // A schema and prices can both be JSON. Only the JSON of a schema has one of these keys.
  return !/"(__schema|data|errors)"/.test(text);
}

/** Returns one line for each added, removed or changed coordinate, and for each changed price. */
function describeChanges(before: PricedSchema, after: PricedSchema): string[] {
  const change = compareSchemas(before, after, Number.POSITIVE_INFINITY);
  if (change === undefined) return [];
  const { before: old, after: fresh } = change;
  const lines: string[] = [];
  for (const coordinate of namesOf(old.fields, fresh.fields)) {
    const [was, is] = [old.fields[coordinate], fresh.fields[coordinate]];
    if (was === undefined) lines.push(`${coordinate}: new, ${is}`);
    else lines.push(is === undefined ? `${coordinate}: removed, was ${was}` : `${coordinate}: ${was} -> ${is}`);
  }
  for (const coordinate of namesOf(old.prices, fresh.prices)) {
    const [was, is] = [wordsOf(old.prices[coordinate]), wordsOf(fresh.prices[coordinate])];
    for (const name of namesOf(was, is)) {
      if (show(was[name]) !== show(is[name]))
        lines.push(`${coordinate}: ${name}: ${show(was[name])} -> ${show(is[name])}`);
    }
  }
  return lines;
}

function namesOf(one: object, other: object): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
}

/** Returns a price with the keys that a file of prices uses. */
function wordsOf({ cost, listSize, ...rest }: ExactPrice = {}): Record<string, unknown> {
  return { ...(cost !== undefined && { weight: cost }), ...listSize, ...rest };
}

function show(value: unknown): string {
  const isNothing = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  return isNothing ? 'nothing' : JSON.stringify(value);
}
