import { existsSync } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import { type CostAnalyzer, createCostAnalyzer } from '../../../cost/create-cost-analyzer.js';
import type { CostAnalyzerOptions } from '../../../cost/settings/cost-analyzer-options.js';
import {
  COST_PRESET_NAMES,
  COST_PRESETS,
  type CostPreset,
  type PresetEntries,
} from '../../../cost/settings/cost-presets.js';
import { PROFILE_NAMES, type ProfileName } from '../../../cost/settings/cost-profile.js';
import { alternatives } from '../../../options/alternatives.js';
import { didYouMean } from '../../../options/nearest-name.js';
import type { FlagValues } from '../../config/read-command-line.js';
import { type CostsFile, CostsFileError, describeMisfits, readCostsFile } from '../../costs/costs-file.js';
import { entryText } from '../../costs/describe-group.js';
import { COST } from '../commands.js';
import { readText, reasonOf, UsageError } from '../read-text.js';
import { type CommandOutput, takeCommandLine } from '../take-command-line.js';
import { checkSchema } from './check-schema.js';
import { diffReports, type NamedReport, parseReport, unitsOf } from './diff-reports.js';
import { explanationTable } from './explanation-table.js';
import { priceReadOperation } from './price-read-operation.js';
import { readOperations } from './read-operations.js';
import { readSchemaFiles } from './read-schema-files.js';
import { keysOf } from './write-costs.js';
import { writeManifest } from './write-manifest.js';

export type CostFlags = FlagValues<(typeof COST)['flags']> & { queries: readonly string[] };

/**
 * Runs `tollgate cost`.
 * @param argv arguments after `cost`
 * @returns the exit code: see `COST`
 */
export async function runCostCommand(argv: readonly string[], output: CommandOutput): Promise<number> {
  const taken = takeCommandLine(COST, argv, output);
  if (taken.exitCode !== undefined) return taken.exitCode;
  const flags: CostFlags = { ...taken.values, queries: [...(taken.values.query ?? []), ...taken.operands] };
  try {
    if (flags['print-preset'] !== undefined) return printPreset(flags['print-preset'], output);
    const costs = await readCostsOf(flags);
    const analyzerOptions = readAnalyzerOptions(flags, costs);
    const { schema, warnings } = readSchemaFiles(flags.schema);
    const analyzer = createCostAnalyzer(schema, analyzerOptions);
    for (const warning of warnings) output.stderr.write(`${warning}\n`);
    if (costs && !flags['check-schema']) warnOfMisfits(schema, costs, output);
    if (flags.manifest !== undefined) return writeManifest(flags.manifest, { flags, analyzer, schema, output });
    return flags['check-schema']
      ? await checkSchema(
          {
            analyzer,
            schema,
            costs,
            earlier: flags.diff,
            queries: flags.queries,
            operationName: flags.operation,
            variables: readVariables(flags.variables),
            recordedDays: readRecordedDays(flags),
            isJson: flags.json === true,
            writeTo: flags['write-costs'],
          },
          output,
        )
      : priceOperations(flags, analyzer, output, schema);
  } catch (error) {
    output.stderr.write(`tollgate cost: ${reasonOf(error)}\n`);
    return 2;
  }
}

/**
 * Reads the file of `--costs`. Without that flag, reads an existing file of `--write-costs`, so
 * that its entries are not advised again.
 */
async function readCostsOf(flags: CostFlags): Promise<CostsFile | undefined> {
  const writeTo = flags['write-costs'];
  for (const flag of ['write-costs', 'recorded'] as const) {
    if (flags[flag] !== undefined && !flags['check-schema']) {
      throw new UsageError(`--${flag}: expected together with --check-schema`);
    }
  }
  const isThere = writeTo !== undefined && existsSync(writeTo);
  if (isThere) await keysOf(writeTo);
  const file = flags.costs ?? (isThere ? writeTo : undefined);
  return file === undefined ? undefined : await readCosts(file, flags.schema);
}

function readRecordedDays(flags: CostFlags): number | undefined {
  const days = readWhole('--recorded', flags.recorded);
  if (days !== undefined && flags.queries.length > 0)
    throw new UsageError('--recorded and --query: expected one of them, got both');
  return days;
}

function printPreset(name: string, { stdout }: CommandOutput): number {
  if (!isPreset(name)) {
    const meant = didYouMean(name, COST_PRESET_NAMES);
    throw new UsageError(`--print-preset: expected ${alternatives(COST_PRESET_NAMES)}, got ${name}${meant}`);
  }
  const lines = Object.entries<PresetEntries[string]>(COST_PRESETS[name]).map((each) => `${entryText(each)}\n`);
  stdout.write(lines.join(''));
  return 0;
}

function isPreset(name: string): name is CostPreset {
  return (COST_PRESET_NAMES as readonly string[]).includes(name);
}

/**
 * Reads a file of prices.
 * @throws CostsFileError that lists every mistake, including those against the schema if the schema
 * can be read
 */
async function readCosts(file: string, schemaFiles: readonly string[] | undefined): Promise<CostsFile> {
  try {
    return await readCostsFile(file);
  } catch (error) {
    if (!(error instanceof CostsFileError)) throw error;
    let schema: GraphQLSchema;
    try {
      ({ schema } = readSchemaFiles(schemaFiles));
    } catch (reason) {
      throw new UsageError(`${error.message}\n${reasonOf(reason)}`);
    }
    throw error.withMisfits(schema);
  }
}

/**
 * Warns of prices that do not fit the schema. A gateway also only warns, and ignores these prices.
 * `--check-schema` reports each of them as an error.
 */
function warnOfMisfits(schema: GraphQLSchema, costs: CostsFile, { stderr }: CommandOutput): void {
  const misfits = describeMisfits(schema, costs);
  if (misfits.length > 0)
    stderr.write(`Prices that do not fit the schema have no effect:\n  ${misfits.join('\n  ')}\n`);
}

function readAnalyzerOptions(flags: CostFlags, costs: CostsFile | undefined): CostAnalyzerOptions {
  const { profile } = flags;
  if (profile !== undefined && !(PROFILE_NAMES as readonly string[]).includes(profile)) {
    const meant = didYouMean(profile, PROFILE_NAMES);
    throw new UsageError(`--profile: expected ${alternatives(PROFILE_NAMES)}, got ${profile}${meant}`);
  }
  const defaultListSize = readWhole('--default-list-size', flags['default-list-size']);
  const minimumCost = readWhole('--minimum-cost', flags['minimum-cost']);
  return {
    ...(profile !== undefined && { profile: profile as ProfileName }),
    ...(defaultListSize !== undefined && { defaultListSize }),
    ...(minimumCost !== undefined && { minimumCost }),
    ...(flags['infer-connections'] && { inferConnections: true }),
    ...(costs && { overlay: costs.overlay, ...costs.inference }),
  };
}

function readWhole(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new UsageError(`${flag}: expected a whole number of 0 or more, got ${text}`);
}

function readVariables(given: string | undefined): Record<string, unknown> {
  if (given === undefined) return {};
  const text = /^\s*[{[]/.test(given) ? given : readText('--variables', given);
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>;
    }
  } catch (error) {
    throw new UsageError(`--variables: invalid JSON: ${reasonOf(error)}`);
  }
  throw new UsageError('--variables: expected a JSON object');
}

function priceOperations(
  flags: CostFlags,
  analyzer: CostAnalyzer,
  output: CommandOutput,
  schema: GraphQLSchema,
): number {
  const budget = readWhole('--budget', flags.budget);
  const variables = readVariables(flags.variables);
  if ([flags.json, flags.explain, flags.diff !== undefined].filter(Boolean).length > 1) {
    throw new UsageError('--json, --explain and --diff: expected one of them, got several');
  }
  const before = flags.diff === undefined ? undefined : readReport(flags.diff);
  const read = readOperations({ queries: flags.queries, schema, operationName: flags.operation });
  const all = read.operations.map((operation) => priceReadOperation(operation, analyzer, variables));
  const priced = all.filter((one) => one.problem === undefined);
  const problems = [...read.problems, ...all.flatMap(({ problem }) => problem ?? [])];
  const { stdout, stderr } = output;
  const reports = priced.map(({ file, name, estimate }): NamedReport => {
    return {
      file,
      operation: name,
      ...(JSON.parse(JSON.stringify(estimate)) as Omit<NamedReport, 'file' | 'operation'>),
    };
  });
  if (before) {
    const lines = diffReports({ before, after: reports, units: unitsOf(flags.profile as ProfileName | undefined) });
    const nothing = problems.length === 0 ? 'no cost increased\n' : 'no known cost increased\n';
    stdout.write(lines.length === 0 ? nothing : `${lines.join('\n')}\n`);
  } else if (flags.json) {
    const [only] = priced;
    // A single requested operation is printed without a list. If an operation has no price, the
    // number of requested operations is unknown.
    const isSingle = only !== undefined && priced.length === 1 && problems.length === 0;
    stdout.write(`${JSON.stringify(isSingle ? only.estimate : { operations: reports }, null, 2)}\n`);
  } else {
    for (const { title, estimate, bound, formula } of all) {
      if (bound === undefined) stdout.write(formula === undefined ? '' : `${title}: ${formula}\n`);
      else if (flags.explain) stdout.write(`${title}: ${explanationTable(bound.explain())}\n`);
      else stdout.write(`${title}: ${estimate.cost}\n`);
    }
  }
  for (const problem of problems) stderr.write(`${problem}\n`);
  const above = priced.filter(({ estimate }) => budget !== undefined && estimate.cost > budget);
  for (const { title, estimate } of above) stderr.write(`${title}: costs ${estimate.cost}, above ${budget}\n`);
  if (problems.length > 0) return 2;
  return above.length === 0 ? 0 : 1;
}

function readReport(file: string): ReturnType<typeof parseReport> {
  const text = readText('--diff', file);
  try {
    return parseReport(text);
  } catch (error) {
    throw new UsageError(`--diff: ${file}: ${reasonOf(error)}`);
  }
}
