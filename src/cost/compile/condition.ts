import type { DirectiveNode, ValueNode } from 'graphql';
import { indexOfVariable, type OperationVariables } from './variables.js';

/**
 * When a selection is included: a Boolean formula over the operation's variables. Equal formulas of one table are one
 * object, so that a plan grows with the conditions written, not with the combinations of their values.
 */
export type Guard =
  | { readonly id: number; readonly kind: 'always' }
  | { readonly id: number; readonly kind: 'variable'; readonly variable: number; readonly negated: boolean }
  | { readonly id: number; readonly kind: 'and' | 'or'; readonly left: Guard; readonly right: Guard };

export const ALWAYS: Guard = { id: 0, kind: 'always' };

/** The formulas of one operation. */
export interface Guards {
  readonly variables: OperationVariables;
  /** Undefined until the first condition on a variable: most operations have none. */
  interned: Map<string, Guard> | undefined;
}

export function createGuards(variables: OperationVariables): Guards {
  return { variables, interned: undefined };
}

function intern(guards: Guards, key: string, create: (id: number) => Guard): Guard {
  guards.interned ??= new Map();
  const known = guards.interned.get(key);
  if (known) return known;
  const guard = create(guards.interned.size + 1);
  guards.interned.set(key, guard);
  return guard;
}

function combine(guards: Guards, kind: 'and' | 'or', left: Guard, right: Guard): Guard {
  const [a, b] = left.id < right.id ? [left, right] : [right, left];
  return intern(guards, `${kind}${a.id},${b.id}`, (id) => ({ id, kind, left: a, right: b }));
}

export function both(guards: Guards, left: Guard, right: Guard): Guard {
  if (left === right || right === ALWAYS) return left;
  return left === ALWAYS ? right : combine(guards, 'and', left, right);
}

export function either(guards: Guards, left: Guard, right: Guard): Guard {
  if (left === right) return left;
  if (left === ALWAYS || right === ALWAYS || areOpposite(left, right)) return ALWAYS;
  return combine(guards, 'or', left, right);
}

/** The condition of a selection's `@skip` and `@include`; undefined: never included. */
export function readGuard(guards: Guards, directives: readonly DirectiveNode[]): Guard | undefined {
  let guard = ALWAYS;
  for (const directive of directives) {
    const name = directive.name.value;
    if (name !== 'skip' && name !== 'include') continue;
    const argument = directive.arguments?.find((each) => each.name.value === 'if');
    const one = readCondition(guards, argument?.value, name === 'skip');
    if (one === undefined) return undefined;
    guard = both(guards, guard, one);
  }
  return guard;
}

/** A variable that is null or absent makes `@include` false, and `@skip` false too: execution fails on both. */
function readCondition(guards: Guards, value: ValueNode | undefined, negated: boolean): Guard | undefined {
  if (value?.kind === 'BooleanValue') return value.value === negated ? undefined : ALWAYS;
  if (value?.kind !== 'Variable') return negated ? ALWAYS : undefined;
  const variable = indexOfVariable(guards.variables, value.name.value);
  if (variable === -1) return negated ? ALWAYS : undefined;
  return intern(guards, `${negated ? '!' : '$'}${variable}`, (id) => ({ id, kind: 'variable', variable, negated }));
}

function areOpposite(left: Guard, right: Guard): boolean {
  return (
    left.kind === 'variable' &&
    right.kind === 'variable' &&
    left.variable === right.variable &&
    left.negated !== right.negated
  );
}

/**
 * @param values the operation's variables, coerced, in the order of their definitions
 * @param known what was found for these values, for callers that ask often: conditions share parts
 */
export function isIncluded(guard: Guard, values: readonly unknown[], known?: Map<Guard, boolean>): boolean {
  if (guard.kind === 'always') return true;
  if (guard.kind === 'variable') return (values[guard.variable] === true) !== guard.negated;
  return isCombinationIncluded(guard, values, known ?? new Map());
}

function isCombinationIncluded(
  guard: Extract<Guard, { left: Guard }>,
  values: readonly unknown[],
  known: Map<Guard, boolean>,
): boolean {
  const earlier = known.get(guard);
  if (earlier !== undefined) return earlier;
  const left = isIncluded(guard.left, values, known);
  const result =
    guard.kind === 'and'
      ? left && isIncluded(guard.right, values, known)
      : left || isIncluded(guard.right, values, known);
  known.set(guard, result);
  return result;
}
