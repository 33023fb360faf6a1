import { readFileSync } from 'node:fs';
import {
  assertValidSchema,
  buildASTSchema,
  buildClientSchema,
  type DocumentNode,
  type GraphQLSchema,
  type IntrospectionQuery,
  Kind,
  parse,
  specifiedDirectives,
  validate,
} from 'graphql';
import type { CostAnalyzerOptions } from '../../cost/cost-options.js';
import { type CostAnalyzer, createCostAnalyzer } from '../../cost/create-cost-analyzer.js';
import type { ProfileName } from '../../cost/profile.js';
import type { CostOverlay } from '../../cost/schema/annotations.js';
import { loadOptional } from '../../model/optional-package.js';
import type { FlagValues } from '../config/command-line.js';
import { COST } from './command-table.js';
import { diffReports, type NamedReport, parseReport, titleOf, unitsOf } from './cost-report.js';
import { explanationTable } from './explanation-table.js';
import { type CommandOutput, takeCommandLine } from './take-command-line.js';

type Flags = FlagValues<(typeof COST)['flags']> & { queries: readonly string[] };

/** A mistake of whoever typed the command: said in one line, without a stack. */
class UsageError extends Error {}

/**
 * `tollgate cost`.
 * @param argv what follows `cost`
 * @returns the exit code: 0; 1 when an operation is above its budget or the schema's annotations are wrong; 2 when the
 * command, the schema, an operation or its variables cannot be read
 */
export async function runCostCommand(argv: readonly string[], output: CommandOutput): Promise<number> {
  const taken = takeCommandLine(COST, argv, output);
  if (taken.exitCode !== undefined) return taken.exitCode;
  const flags: Flags = { ...taken.values, queries: [...(taken.values.query ?? []), ...taken.operands] };
  try {
    const analyzerOptions = await readAnalyzerOptions(flags);
    const schema = readSchema(flags.schema);
    const analyzer = createCostAnalyzer(schema, analyzerOptions);
    return flags['check-schema'] ? checkSchema(analyzer, output) : priceOperations(flags, schema, analyzer, output);
  } catch (error) {
    output.stderr.write(`tollgate cost: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

async function readAnalyzerOptions(flags: Flags): Promise<CostAnalyzerOptions> {
  const { profile, overlay } = flags;
  if (profile !== undefined && !['tokens', 'ibm', 'apollo', 'github'].includes(profile)) {
    throw new UsageError(`--profile: expected tokens, ibm, apollo or github, got ${profile}`);
  }
  const defaultListSize = readWhole('--default-list-size', flags['default-list-size']);
  const minimumCost = readWhole('--minimum-cost', flags['minimum-cost']);
  return {
    ...(profile !== undefined && { profile: profile as ProfileName }),
    ...(defaultListSize !== undefined && { defaultListSize }),
    ...(minimumCost !== undefined && { minimumCost }),
    ...(flags['infer-connections'] && { inferConnections: true }),
    ...(overlay !== undefined && { overlay: await readOverlay(overlay) }),
  };
}

function readWhole(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new UsageError(`${flag}: expected a whole number of 0 or more, got ${text}`);
}

function readText(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${flag}: cannot read ${file}: ${reason}`);
  }
}

function readSchema(file: string | undefined): GraphQLSchema {
  if (file === undefined) throw new UsageError('--schema: name the file that holds the schema');
  const text = readText('--schema', file);
  try {
    const schema = text.trimStart().startsWith('{') ? readIntrospection(text) : readSdl(text);
    assertValidSchema(schema);
    return schema;
  } catch (error) {
    throw new UsageError(`--schema: ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readSdl(text: string): GraphQLSchema {
  const document = parse(text, { noLocation: true });
  return buildASTSchema({ ...document, definitions: [...missingDirectives(document), ...document.definitions] });
}

function readIntrospection(text: string): GraphQLSchema {
  const parsed = JSON.parse(text) as { data?: IntrospectionQuery } & IntrospectionQuery;
  return buildClientSchema(parsed.data ?? parsed);
}

/** A schema may use `@cost` and `@listSize` without defining them. */
function missingDirectives(document: DocumentNode): DocumentNode['definitions'] {
  const defined = new Set(specifiedDirectives.map((directive) => directive.name));
  for (const each of document.definitions) if (each.kind === Kind.DIRECTIVE_DEFINITION) defined.add(each.name.value);
  const ours = parse(readFileSync(new URL('../../../schema/directives.graphql', import.meta.url), 'utf8'));
  return ours.definitions.filter((each) => each.kind === Kind.DIRECTIVE_DEFINITION && !defined.has(each.name.value));
}

async function readOverlay(file: string): Promise<CostOverlay> {
  const text = readText('--overlay', file);
  const { parse: parseYaml } = await loadOptional('yaml', '--overlay', () => import('yaml'));
  const parsed: unknown = parseYaml(text);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as CostOverlay;
  throw new UsageError(`--overlay: ${file}: expected an object with schema coordinates as its keys`);
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
    throw new UsageError(`--variables: no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new UsageError('--variables: expected a JSON object');
}

function checkSchema(analyzer: CostAnalyzer, { stdout }: CommandOutput): number {
  const problems = analyzer.check();
  for (const { severity, coordinate, message } of problems) stdout.write(`${severity}: ${coordinate}: ${message}\n`);
  const errors = problems.filter((problem) => problem.severity === 'error').length;
  stdout.write(errors === 0 ? 'the annotations of the schema are in order\n' : `${errors} wrong\n`);
  return errors === 0 ? 0 : 1;
}

interface Operation {
  file: string;
  name: string | null;
  document: DocumentNode;
}

function readOperations(flags: Flags, schema: GraphQLSchema): Operation[] {
  if (flags.queries.length === 0) throw new UsageError('--query: name at least one file of operations');
  const operations = flags.queries.flatMap((query, at) => {
    const isText = query.includes('{');
    const file = isText ? `(query ${at + 1})` : query;
    const document = readDocument(file, isText ? query : readText('--query', query), schema);
    const names = document.definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? [definition.name?.value ?? null] : [],
    );
    const wanted = names.filter((name) => flags.operation === undefined || name === flags.operation);
    return wanted.map((name): Operation => ({ file, name, document }));
  });
  if (operations.length > 0) return operations;
  const missing = flags.operation === undefined ? 'no operation' : `no operation named ${flags.operation}`;
  throw new UsageError(`--query: there is ${missing} in ${flags.queries.join(', ')}`);
}

function readDocument(file: string, text: string, schema: GraphQLSchema): DocumentNode {
  let document: DocumentNode;
  try {
    document = parse(text);
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const errors = validate(schema, document);
  if (errors.length === 0) return document;
  const lines = errors.map((error) => `${file}:${error.locations?.[0]?.line ?? 1}: ${error.message}`);
  throw new UsageError(lines.join('\n'));
}

function priceOperations(flags: Flags, schema: GraphQLSchema, analyzer: CostAnalyzer, output: CommandOutput): number {
  if ([flags.json, flags.explain, flags.diff !== undefined].filter(Boolean).length > 1) {
    throw new UsageError('--json, --explain and --diff: give one of them');
  }
  const budget = readWhole('--budget', flags.budget);
  const variables = readVariables(flags.variables);
  const before = flags.diff === undefined ? undefined : readReport(flags.diff);
  const priced = readOperations(flags, schema).map(({ file, name, document }) => {
    const bound = inContext(titleOf({ file, operation: name }), () => analyzer.compile(document, name).bind(variables));
    return { title: titleOf({ file, operation: name }), file, operation: name, bound, estimate: bound.estimate() };
  });
  const { stdout, stderr } = output;
  const reports = priced.map(({ file, operation, estimate }): NamedReport => {
    return { file, operation, ...(JSON.parse(JSON.stringify(estimate)) as Omit<NamedReport, 'file' | 'operation'>) };
  });
  if (before) {
    const lines = diffReports({ before, after: reports, units: unitsOf(flags.profile as ProfileName | undefined) });
    stdout.write(lines.length === 0 ? 'nothing became dearer\n' : `${lines.join('\n')}\n`);
  } else if (flags.json) {
    const [only] = priced;
    stdout.write(`${JSON.stringify(priced.length === 1 ? only!.estimate : { operations: reports }, null, 2)}\n`);
  } else {
    for (const { title, estimate, bound } of priced) {
      if (flags.explain) stdout.write(`${title}: ${explanationTable(bound.explain())}\n`);
      else stdout.write(`${title}: ${estimate.cost}\n`);
    }
  }
  const above = priced.filter(({ estimate }) => budget !== undefined && estimate.cost > budget);
  for (const { title, estimate } of above) stderr.write(`${title}: costs ${estimate.cost}, above ${budget}\n`);
  return above.length === 0 ? 0 : 1;
}

function readReport(file: string): ReturnType<typeof parseReport> {
  const text = readText('--diff', file);
  try {
    return parseReport(text);
  } catch (error) {
    throw new UsageError(`--diff: ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function inContext<T>(title: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new UsageError(`${title}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
