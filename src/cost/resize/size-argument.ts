import type { SizePlace } from './find-size-arguments.js';

/**
 * An argument that sizes a list of one request, with the value that it has. `Plan` is the form of
 * the request with another value.
 */
export interface SizeArgument<Plan> {
  /** Field and argument, such as `Query.users(first:)`. */
  readonly argument: string;
  /** Name of the variable that sets the value. Undefined for a number in the document. */
  readonly variable: string | undefined;
  readonly current: number;
  /**
   * Returns the plan of the same request with another value of this argument.
   * @throws CostError if the operation is invalid with this value
   */
  withValue(value: number): Plan;
}

/** Variables of a request, as the caller sent them or as the operation defines them. */
type Variables = Readonly<Record<string, unknown>>;

/**
 * Returns the size argument at a place for the variables of one request. Returns undefined if its
 * value is not a whole number above 1, so that it cannot be lowered.
 */
export function sizeArgumentOf<Plan>(
  { argument, variable, below, literal, whenAbsent }: SizePlace,
  variables: Variables,
  { raw, bind }: { raw: unknown; bind(variables: Variables): Plan },
): SizeArgument<Plan> | undefined {
  const current = literal ?? valueAt(raw, below) ?? whenAbsent;
  if (!Number.isSafeInteger(current) || (current as number) <= 1) return undefined;
  return {
    argument,
    variable: literal === undefined ? variable : undefined,
    current: current as number,
    withValue: (value) => bind({ ...variables, [variable]: withValueAt(raw, below, value) }),
  };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
    current = (current as Record<string, unknown>)[name];
  }
  return current ?? undefined;
}

function withValueAt(value: unknown, [name, ...below]: readonly string[], set: number): unknown {
  if (name === undefined) return set;
  const object = value as Record<string, unknown>;
  return { ...object, [name]: withValueAt(object[name], below, set) };
}
