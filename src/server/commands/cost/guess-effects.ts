import { type DocumentNode, Kind, type TypeNode, visit } from 'graphql';
import type { GuessGroup } from '../../../cost/check/group-guesses.js';
import type { CostAnalyzer } from '../../../cost/create-cost-analyzer.js';
import type { ExplainedField } from '../../../cost/explain/explain-operation.js';
import { reasonOf } from '../read-text.js';
import type { OperationProblem, ReadOperation } from './read-operations.js';

/** The share of guesses in the cost of operations. */
export interface GuessEffects {
  /** Source of the operations: the command line, or the log of decisions. */
  readonly source: 'given' | 'recorded';
  /** Number of operations that have a price. */
  readonly operations: number;
  /** Sum of the costs of all operations that have a price. */
  readonly cost: number;
  /**
   * Cost of the lists of each group, including all fields below them. A list inside a list of
   * another group counts for both groups.
   */
  readonly byGroup: ReadonlyMap<GuessGroup, number>;
  /** Operations without a price. */
  readonly problems: readonly OperationProblem[];
}

interface GuessEffectsOptions {
  readonly analyzer: CostAnalyzer;
  readonly groups: readonly GuessGroup[];
  readonly operations: readonly ReadOperation[];
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Prices the operations, and returns how much of their cost comes from the lists of each group.
 * Missing required variables get a typical value, or are omitted if their type has none.
 */
export function findGuessEffects({ analyzer, groups, operations, variables }: GuessEffectsOptions): GuessEffects {
  const groupOf = indexGroups(groups);
  const byGroup = new Map<GuessGroup, number>();
  const problems: OperationProblem[] = [];
  let cost = 0;

  /**
   * Adds the costs of a field and of the fields below it to their groups.
   * @param above `SOMETIMES` group of the nearest field above that has one; undefined below a list
   * @param counted groups of lists that contain this field: their cost includes its cost
   */
  function add(field: ExplainedField, above: GuessGroup | undefined, counted: readonly GuessGroup[]): void {
    const isList = field.multiplierFrom.kind !== 'single';
    const sometimes = groupOf.sometimes.get(field.coordinate);
    const isGuess = field.multiplierFrom.kind === 'fallback';
    const group = isGuess ? (sometimes ?? above ?? groupOf.always.get(field.coordinate)) : undefined;
    const isNew = group !== undefined && !counted.includes(group);
    if (isNew) byGroup.set(group, (byGroup.get(group) ?? 0) + field.cost);
    const below = isNew ? [...counted, group] : counted;
    for (const each of field.fields) add(each, isList ? undefined : (sometimes ?? above), below);
  }

  for (const operation of operations) {
    try {
      const document = withoutRequired(operation.document, variables);
      const given = { ...placeholders(operation.document), ...variables };
      const explained = analyzer.compile(document, operation.name).explain(given);
      cost += explained.cost;
      for (const field of explained.fields) add(field, undefined, []);
    } catch (error) {
      const name = operation.name === null ? '' : ` ${operation.name}:`;
      problems.push(`${operation.file}:${operation.line}:${name} ${reasonOf(error)}`);
    }
  }
  return { source: 'given', operations: operations.length - problems.length, cost, byGroup, problems };
}

/**
 * Returns the groups by the coordinates of their lists, and those of kind `SOMETIMES` by the
 * coordinates of their fields.
 */
export function indexGroups(groups: readonly GuessGroup[]) {
  const index = { always: new Map<string, GuessGroup>(), sometimes: new Map<string, GuessGroup>() };
  for (const group of groups) {
    for (const { coordinate, lists } of group.guesses) {
      if (group.kind === 'SOMETIMES') index.sometimes.set(coordinate, group);
      // The lists are the field itself, or those below a field whose `@listSize` is incomplete.
      else for (const { owner, name } of lists) index.always.set(`${owner}.${name}`, group);
    }
  }
  return index;
}

/**
 * Sorts groups by their effect on operations, largest first. Without `effects` they keep their
 * order.
 */
export function orderGroups(groups: readonly GuessGroup[], effects: GuessEffects | undefined): GuessGroup[] {
  const costOf = (group: GuessGroup) => effects?.byGroup.get(group) ?? 0;
  return [...groups].sort((one, other) => costOf(other) - costOf(one));
}

/**
 * Returns the percentage of the cost of operations that comes from a group, as the beginning of a
 * description. Empty if it is unknown.
 */
export function shareOf(group: GuessGroup, { source, operations, cost, byGroup }: GuessEffects): string {
  // The log of decisions does not contain the arguments of operations.
  if (source === 'recorded' && group.kind === 'SOMETIMES') return '';
  const part = byGroup.get(group) ?? 0;
  const percent = cost === 0 ? 0 : (100 * part) / cost;
  const shown = part > 0 && percent < 1 ? 'below 1' : String(Math.round(percent));
  const which = source === 'recorded' ? 'recorded operations' : 'operations';
  return `${shown} % of the cost of ${operations === 1 ? 'the operation' : `${operations} ${which}`}; `;
}

/** Makes missing required variables optional, so that the operation has a price without them. */
function withoutRequired(document: DocumentNode, variables: Readonly<Record<string, unknown>>): DocumentNode {
  return visit(document, {
    VariableDefinition(definition) {
      const { type, variable } = definition;
      const isMissing = type.kind === Kind.NON_NULL_TYPE && (variables[variable.name.value] ?? null) === null;
      return isMissing ? { ...definition, type: type.type } : undefined;
    },
  });
}

/** Assumed page size if the required variable for it is missing. */
const PAGE_SIZE = 10;

/**
 * Returns values for required variables of two types: a typical page size for `Int`, and true for
 * `Boolean`, so that conditional fields count.
 */
function placeholders(document: DocumentNode): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  visit(document, {
    VariableDefinition({ type, variable }) {
      const name = type.kind === Kind.NON_NULL_TYPE ? nameOf(type.type) : undefined;
      if (name === 'Int') found[variable.name.value] = PAGE_SIZE;
      if (name === 'Boolean') found[variable.name.value] = true;
    },
  });
  return found;
}

function nameOf(type: TypeNode): string | undefined {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : undefined;
}
