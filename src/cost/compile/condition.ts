import type { DirectiveNode, ValueNode } from 'graphql';
import { indexOfVariable, type OperationVariables } from './operation-variables.js';

/**
 * Condition under which a selection is included: a Boolean formula of the operation's variables.
 * Within one operation, equal formulas are the same object. The size of a plan thus depends on the
 * number of conditions in the document, and not on the number of their combinations.
 */
export type Condition =
  | { readonly id: number; readonly kind: 'always' }
  | { readonly id: number; readonly kind: 'variable'; readonly variable: number; readonly negated: boolean }
  | { readonly id: number; readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition };

export const ALWAYS: Condition = { id: 0, kind: 'always' };

/** The formulas of one operation. */
export interface Conditions {
  readonly variables: OperationVariables;
  /**
   * Formulas by key. Undefined until the first condition on a variable is read, because most
   * operations have none.
   */
  interned: Map<string, Condition> | undefined;
}

export function createConditions(variables: OperationVariables): Conditions {
  return { variables, interned: undefined };
}

function intern(conditions: Conditions, key: string, create: (id: number) => Condition): Condition {
  conditions.interned ??= new Map();
  const known = conditions.interned.get(key);
  if (known) return known;
  const condition = create(conditions.interned.size + 1);
  conditions.interned.set(key, condition);
  return condition;
}

function combine(conditions: Conditions, kind: 'and' | 'or', left: Condition, right: Condition): Condition {
  const [a, b] = left.id < right.id ? [left, right] : [right, left];
  return intern(conditions, `${kind}${a.id},${b.id}`, (id) => ({ id, kind, left: a, right: b }));
}

export function both(conditions: Conditions, left: Condition, right: Condition): Condition {
  if (left === right || right === ALWAYS) return left;
  return left === ALWAYS ? right : combine(conditions, 'and', left, right);
}

export function either(conditions: Conditions, left: Condition, right: Condition): Condition {
  if (left === right) return left;
  if (left === ALWAYS || right === ALWAYS || areOpposite(left, right)) return ALWAYS;
  return combine(conditions, 'or', left, right);
}

/**
 * Returns the condition of a selection's `@skip` and `@include`; undefined if it is never included.
 */
export function readSelectionCondition(
  conditions: Conditions,
  directives: readonly DirectiveNode[],
): Condition | undefined {
  let condition = ALWAYS;
  for (const directive of directives) {
    const name = directive.name.value;
    if (name !== 'skip' && name !== 'include') continue;
    const argument = directive.arguments?.find((each) => each.name.value === 'if');
    const one = readCondition(conditions, argument?.value, name === 'skip');
    if (one === undefined) return undefined;
    condition = both(conditions, condition, one);
  }
  return condition;
}

/**
 * Returns the condition of one directive; undefined if the selection is never included. A null or
 * absent variable counts as false. Execution fails in that case.
 */
function readCondition(conditions: Conditions, value: ValueNode | undefined, negated: boolean): Condition | undefined {
  if (value?.kind === 'BooleanValue') return value.value === negated ? undefined : ALWAYS;
  if (value?.kind !== 'Variable') return negated ? ALWAYS : undefined;
  const variable = indexOfVariable(conditions.variables, value.name.value);
  if (variable === -1) return negated ? ALWAYS : undefined;
  return intern(conditions, `${negated ? '!' : '$'}${variable}`, (id) => ({ id, kind: 'variable', variable, negated }));
}

function areOpposite(left: Condition, right: Condition): boolean {
  return (
    left.kind === 'variable' &&
    right.kind === 'variable' &&
    left.variable === right.variable &&
    left.negated !== right.negated
  );
}

/**
 * Returns whether a selection is included.
 * @param values the operation's variables, coerced, in the order of their definitions
 * @param known cache of results for these values. Pass it to repeated calls, because conditions can
 * share parts.
 */
export function isIncluded(condition: Condition, values: readonly unknown[], known?: Map<Condition, boolean>): boolean {
  if (condition.kind === 'always') return true;
  if (condition.kind === 'variable') return (values[condition.variable] === true) !== condition.negated;
  return isCombinationIncluded(condition, values, known ?? new Map());
}

function isCombinationIncluded(
  condition: Extract<Condition, { left: Condition }>,
  values: readonly unknown[],
  known: Map<Condition, boolean>,
): boolean {
  const earlier = known.get(condition);
  if (earlier !== undefined) return earlier;
  const left = isIncluded(condition.left, values, known);
  const result =
    condition.kind === 'and'
      ? left && isIncluded(condition.right, values, known)
      : left || isIncluded(condition.right, values, known);
  known.set(condition, result);
  return result;
}
