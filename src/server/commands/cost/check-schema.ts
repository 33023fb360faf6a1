import type { GraphQLSchema } from 'graphql';
import type { CostAnalyzer } from '../../../cost/create-cost-analyzer.js';
import type { ExactPrice } from '../../../cost/schema/annotations.js';
import { compareSchemas, type PricedSchema } from '../../../gateway/schema/compare-schemas.js';
import { type CostsFile, readCostsFile } from '../../costs/costs-file.js';
import type { CommandOutput } from '../take-command-line.js';
import { readSchemaFiles } from './read-schema-files.js';
import { readText } from './read-text.js';

export interface SchemaCheck {
  analyzer: CostAnalyzer;
  schema: GraphQLSchema;
  costs: CostsFile | undefined;
  /** A file of how the schema, or its prices, were before: what differs is printed. */
  earlier: string | undefined;
}

/** `--check-schema`: what is wrong with the annotations of a schema, and what has changed of it. */
export async function checkSchema(check: SchemaCheck, { stdout }: CommandOutput): Promise<number> {
  const { analyzer, schema, costs, earlier } = check;
  const before = earlier === undefined ? undefined : await readEarlier(earlier, check);
  const problems = analyzer.check();
  for (const problem of problems) {
    const { severity, coordinate, message, overlayKey } = problem;
    const what = overlayKey === undefined ? `${coordinate}: ${message}` : costs!.describe(problem);
    stdout.write(`${severity}: ${what}\n`);
  }
  const errors = problems.filter((problem) => problem.severity === 'error').length;
  stdout.write(errors === 0 ? 'the annotations of the schema are in order\n' : `${errors} wrong\n`);
  if (before) {
    const changes = describeChanges(before, { schema, overlay: costs?.overlay });
    stdout.write(changes.length === 0 ? `nothing has changed since ${earlier}\n` : `${changes.join('\n')}\n`);
  }
  return errors === 0 ? 0 : 1;
}

/** What a file was: prices, which are then those of the schema as it is now, or a schema, with the prices as they are now. */
async function readEarlier(file: string, { schema, costs }: SchemaCheck): Promise<PricedSchema> {
  if (isCosts(file)) return { schema, overlay: (await readCostsFile(file)).overlay };
  return { schema: readSchemaFiles([file], '--diff').schema, overlay: costs?.overlay };
}

function isCosts(file: string): boolean {
  const text = readText('--diff', file);
  if (!text.trimStart().startsWith('{')) return /\.ya?ml$/i.test(file);
  // Both may be JSON.
  return !/"(__schema|data|errors)"/.test(text);
}

/** One line for each coordinate that is new, gone or other, and for each of its prices. */
export function describeChanges(before: PricedSchema, after: PricedSchema): string[] {
  const change = compareSchemas(before, after, Number.POSITIVE_INFINITY);
  if (change === undefined) return [];
  const { before: old, after: fresh } = change;
  const lines: string[] = [];
  for (const coordinate of namesOf(old.fields, fresh.fields)) {
    const [was, is] = [old.fields[coordinate], fresh.fields[coordinate]];
    if (was === undefined) lines.push(`${coordinate}: new, ${is}`);
    else lines.push(is === undefined ? `${coordinate}: gone, was ${was}` : `${coordinate}: ${was} -> ${is}`);
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

/** In the words of a file of prices. */
function wordsOf({ cost, listSize, ...rest }: ExactPrice = {}): Record<string, unknown> {
  return { ...(cost !== undefined && { weight: cost }), ...listSize, ...rest };
}

function show(value: unknown): string {
  const isNothing = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  return isNothing ? 'nothing' : JSON.stringify(value);
}
