import { writeFileSync } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import type { CostAnalyzer } from '../../../cost/create-cost-analyzer.js';
import { reasonOf, UsageError } from '../read-text.js';
import type { CommandOutput } from '../take-command-line.js';
import { titleOf } from './diff-reports.js';
import { type OperationProblem, type ReadOperation, readOperations } from './read-operations.js';

interface ManifestCommand {
  readonly flags: { readonly [flag: string]: unknown; queries: readonly string[]; operation?: string | undefined };
  readonly analyzer: CostAnalyzer;
  readonly schema: GraphQLSchema;
  readonly output: CommandOutput;
}

/**
 * Flags that cannot be combined with `--manifest`. A manifest contains formulas for all values of
 * the variables, not prices for one set of values.
 */
const OTHERS = ['variables', 'json', 'explain', 'budget', 'diff', 'check-schema', 'write-costs', 'recorded'];

/**
 * Runs `tollgate cost --manifest OUT`. An invalid operation leaves the file unchanged, so that no
 * client is built with an incomplete manifest.
 * @returns the exit code
 */
export function writeManifest(file: string, { flags, analyzer, schema, output }: ManifestCommand): number {
  const conflicting = OTHERS.filter((flag) => flags[flag] !== undefined && flags[flag] !== false);
  if (conflicting.length > 0)
    throw new UsageError(`--manifest: cannot be combined with ${conflicting.map((flag) => `--${flag}`).join(', ')}`);
  const read = readOperations({ queries: flags.queries, schema, operationName: flags.operation });
  const problems = [...read.problems, ...read.operations.flatMap((one) => problemOf(one, analyzer))];
  for (const problem of problems) output.stderr.write(`${problem}\n`);
  if (problems.length > 0) return 2;
  const operations = read.operations.map((one) => ({ ...one, operationName: one.name }));
  const { manifest, missing } = analyzer.manifest(operations);
  for (const { document, reason } of missing) {
    const { file: place, name } = operations.find((one) => one.document === document)!;
    output.stderr.write(
      `${titleOf({ file: place, operation: name })}: left out, because ${reason}; clients learn its price from responses\n`,
    );
  }
  try {
    writeFileSync(file, `${JSON.stringify(manifest)}\n`);
  } catch (error) {
    throw new UsageError(`--manifest: ${file} cannot be written: ${reasonOf(error)}`);
  }
  const count = Object.keys(manifest.operations).length;
  output.stdout.write(`${file}: ${count} ${count === 1 ? 'operation' : 'operations'}\n`);
  return 0;
}

function problemOf({ file, name, line, document }: ReadOperation, analyzer: CostAnalyzer): OperationProblem[] {
  try {
    analyzer.compile(document, name);
    return [];
  } catch (error) {
    return [`${file}:${line}:${name === null ? '' : ` ${name}:`} ${reasonOf(error)}`];
  }
}
