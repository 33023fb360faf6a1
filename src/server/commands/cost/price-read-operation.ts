import { type DocumentNode, GraphQLError, Kind, visit } from 'graphql';
import type { BoundPlan, CostEstimate } from '../../../cost/cost-plan.js';
import type { CostAnalyzer } from '../../../cost/create-cost-analyzer.js';
import { reasonOf } from '../read-text.js';
import { titleOf } from './diff-reports.js';
import type { OperationProblem, ReadOperation } from './read-operations.js';

type PricedOperation = ReadOperation & { title: string } & (
    | { bound: BoundPlan; estimate: CostEstimate; formula?: never; problem?: never }
    /** Formula of the price; set only if the price is unknown because variables are missing. */
    | { formula: string | undefined; problem: OperationProblem; bound?: never; estimate?: never }
  );

/** Prices one operation. If it has no price, returns the reason, with the file and line. */
export function priceReadOperation(
  operation: ReadOperation,
  analyzer: CostAnalyzer,
  variables: Readonly<Record<string, unknown>>,
): PricedOperation {
  const { file, name, line, document } = operation;
  const title = titleOf({ file, operation: name });
  try {
    const bound = analyzer.compile(document, name).bind(variables);
    return { ...operation, title, bound, estimate: bound.estimate() };
  } catch (error) {
    const named = name === null ? '' : ` ${name}:`;
    const cause = error instanceof Error && error.cause instanceof GraphQLError ? error.cause : undefined;
    const place = `${file}:${cause?.locations?.[0]?.line ?? line}`;
    const missing = missingVariables(document, variables);
    const formula = missing.length === 0 ? undefined : formulaWithout(missing, { operation, analyzer, variables });
    const example = `{ ${missing.map((one) => `"${one}": ...`).join(', ')} }`;
    const remedy = formula === undefined ? '' : ` It costs ${formula}: give --variables '${example}'`;
    return { ...operation, title, formula, problem: `${place}:${named} ${reasonOf(error)}${remedy}` };
  }
}

/** Returns the required variables that were not given. */
function missingVariables(document: DocumentNode, variables: Readonly<Record<string, unknown>>): string[] {
  return document.definitions.flatMap((definition) =>
    definition.kind !== Kind.OPERATION_DEFINITION
      ? []
      : (definition.variableDefinitions ?? [])
          .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined)
          .map(({ variable }) => variable.name.value)
          .filter((name) => !Object.hasOwn(variables, name) || (variables[name] ?? null) === null),
  );
}

/**
 * Returns the formula of an operation without its missing variables. A formula is valid for all
 * values of the variables, so making them optional does not change it.
 */
function formulaWithout(
  missing: readonly string[],
  options: { operation: ReadOperation; analyzer: CostAnalyzer; variables: Readonly<Record<string, unknown>> },
): string | undefined {
  const { operation, analyzer, variables } = options;
  const relaxed = visit(operation.document, {
    VariableDefinition(definition) {
      const { type, variable } = definition;
      if (type.kind !== Kind.NON_NULL_TYPE || !missing.includes(variable.name.value)) return undefined;
      return { ...definition, type: type.type };
    },
  });
  try {
    return analyzer.compile(relaxed, operation.name).explain(variables).formula;
  } catch {
    return undefined; // The operation has a further mistake, so it has no formula.
  }
}
