import type { DirectiveNode, ValueNode } from 'graphql';

/**
 * When a selection is included: a Boolean formula over the operation's variables. Equal formulas of one table are one
 * object, so that a plan grows with the conditions written, not with the combinations of their values.
 */
export type Guard =
  | { readonly id: number; readonly kind: 'always' }
  | { readonly id: number; readonly kind: 'variable'; readonly variable: number; readonly negated: boolean }
  | { readonly id: number; readonly kind: 'and' | 'or'; readonly left: Guard; readonly right: Guard };

export const ALWAYS: Guard = { id: 0, kind: 'always' };

export interface Guards {
  and(left: Guard, right: Guard): Guard;
  or(left: Guard, right: Guard): Guard;
  /** The condition of a selection's `@skip` and `@include`; undefined: never included. */
  of(directives: readonly DirectiveNode[] | undefined): Guard | undefined;
}

/** @param variableIndex the place of a variable among those that the operation defines; -1: not defined */
export function createGuards(variableIndex: (name: string) => number): Guards {
  const interned = new Map<string, Guard>();

  function intern(key: string, create: (id: number) => Guard): Guard {
    const known = interned.get(key);
    if (known) return known;
    const guard = create(interned.size + 1);
    interned.set(key, guard);
    return guard;
  }

  const variable = (index: number, negated: boolean): Guard =>
    intern(`${negated ? '!' : '$'}${index}`, (id) => ({ id, kind: 'variable', variable: index, negated }));

  function combine(kind: 'and' | 'or', left: Guard, right: Guard): Guard {
    const [a, b] = left.id < right.id ? [left, right] : [right, left];
    return intern(`${kind}${a.id},${b.id}`, (id) => ({ id, kind, left: a, right: b }));
  }

  function and(left: Guard, right: Guard): Guard {
    if (left === right || right === ALWAYS) return left;
    return left === ALWAYS ? right : combine('and', left, right);
  }

  function or(left: Guard, right: Guard): Guard {
    if (left === right) return left;
    if (left === ALWAYS || right === ALWAYS || areOpposite(left, right)) return ALWAYS;
    return combine('or', left, right);
  }

  /** A variable that is null or absent makes `@include` false, and `@skip` false too: execution fails on both. */
  function condition(value: ValueNode | undefined, negated: boolean): Guard | undefined {
    if (value?.kind === 'BooleanValue') return value.value === negated ? undefined : ALWAYS;
    if (value?.kind !== 'Variable') return negated ? ALWAYS : undefined;
    const index = variableIndex(value.name.value);
    if (index === -1) return negated ? ALWAYS : undefined;
    return variable(index, negated);
  }

  function of(directives: readonly DirectiveNode[] | undefined): Guard | undefined {
    let guard = ALWAYS;
    for (const directive of directives ?? []) {
      const name = directive.name.value;
      if (name !== 'skip' && name !== 'include') continue;
      const argument = directive.arguments?.find((each) => each.name.value === 'if');
      const one = condition(argument?.value, name === 'skip');
      if (one === undefined) return undefined;
      guard = and(guard, one);
    }
    return guard;
  }

  return { and, or, of };
}

function areOpposite(left: Guard, right: Guard): boolean {
  return (
    left.kind === 'variable' &&
    right.kind === 'variable' &&
    left.variable === right.variable &&
    left.negated !== right.negated
  );
}

/** @param values the operation's variables, coerced, in the order of their definitions */
export function isIncluded(guard: Guard, values: readonly unknown[], known: Map<Guard, boolean> = new Map()): boolean {
  if (guard.kind === 'always') return true;
  if (guard.kind === 'variable') return (values[guard.variable] === true) !== guard.negated;
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
