/**
 * The output of `tollgate cost --manifest`. Formulas are data: the client evaluates them, but never
 * executes code from a manifest.
 */
export interface Manifest {
  /** Version of the format: 1. A later version is rejected. */
  readonly version: number;
  readonly minimumCost: number;
  readonly per: number;
  readonly inputs: Readonly<Record<string, readonly unknown[]>>;
  readonly operations: Readonly<Record<string, unknown>>;
}

interface Formula {
  readonly variables: readonly (readonly [name: string, type: string, defaultValue?: unknown])[];
  readonly sizes: readonly Size[];
  readonly ops: readonly number[];
  readonly sums: readonly (readonly number[])[];
  readonly maxima: readonly (readonly number[])[];
  readonly weights: readonly Weight[];
  readonly result: number;
}

type Literal =
  | { v: number }
  | { list: readonly Literal[] }
  | { object: Readonly<Record<string, Literal>> }
  | { value: unknown };
type Value = { v: number } | { type: string; literal: Literal };
type Amount = number | readonly [of: Value, path: readonly string[], whenAbsent?: number | null, whenNegative?: number];
type InputWeight = number | { readonly perElement: number } | null;
type Field = readonly [name: string, type: string, weight: InputWeight, defaultValue?: unknown];

interface Amounts {
  readonly from: readonly Amount[];
  readonly otherwise?: number;
  readonly least?: number;
}

interface Size extends Amounts {
  readonly otherwise: number;
  readonly above?: number | Amounts;
  readonly aboveWins?: boolean;
  readonly ownReplaces?: boolean;
  readonly orElse?: { readonly unless: Amounts; readonly size: Size };
}

interface Weight {
  readonly of: Value;
  readonly type: string;
  readonly weight: InputWeight;
  readonly whenAbsent: number;
  readonly objectWeight: number;
  readonly byItem: boolean;
}

/** For each built-in scalar, returns whether the API accepts a value. */
const IS_SCALAR: Readonly<Record<string, (value: unknown) => boolean>> = {
  Int: (value) => typeof value === 'number' && (value | 0) === value,
  Float: Number.isFinite,
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  ID: (value) => typeof value === 'string' || Number.isInteger(value),
};

const MAX_COST = 2 ** 31 - 1;
const BOUND = 2 ** 52;

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/**
 * Creates the function that returns the price of one operation of a manifest from the variables
 * that are sent.
 */
export function createFormula(manifest: Manifest, price: unknown): (variables: unknown) => number | undefined {
  const inputs = manifest.inputs as Readonly<Record<string, readonly Field[]>>;
  const finish = (sum: number): number | undefined => {
    const cost = clamp(Number.isInteger(sum) ? sum : Math.ceil(Math.round(sum * 1e6) / 1e6), 0, MAX_COST);
    const whole = manifest.per === 1 ? cost : Math.max(1, Math.round(cost / manifest.per));
    // A damaged manifest yields no price: a price of NaN would block the pacer.
    return Number.isFinite(whole) ? Math.max(manifest.minimumCost, whole) : undefined;
  };
  if (typeof price === 'number') return () => finish(price);
  const formula = price as Formula;
  return (variables) => finish(run(formula, inputs, variables));
}

function run(formula: Formula, inputs: Readonly<Record<string, readonly Field[]>>, given: unknown): number {
  const { ops, sums, maxima, weights } = formula;
  const values = formula.variables.map(([name, type, defaultValue]) => {
    const value = ownValue(given, name);
    const read = value === undefined ? defaultValue : coerce(type, value);
    // The API rejects these variables, so the operation has no price.
    if (read === undefined && (value !== undefined || type.endsWith('!'))) throw new TypeError(`invalid $${name}`);
    return read;
  });
  const r: number[] = [];
  for (let i = 0; i < ops.length; i += 3) {
    const a = ops[i + 1]!;
    let x: number;
    switch (ops[i]) {
      case 0:
        x = sizeOf(formula.sizes[a]!);
        break;
      case 1:
        x = values[a] === true ? 1 : 0;
        break;
      case 2:
        x = values[a] === true ? 0 : 1;
        break;
      case 3: {
        const value = readValue(weights[a]!.of);
        x = value === undefined ? weights[a]!.whenAbsent : weigh(weights[a]!, weights[a]!, value);
        break;
      }
      case 4: {
        const sum = sums[a]!;
        x = sum[0]!;
        for (let j = 1; j < sum.length; j += 2) x += sum[j]! * r[sum[j + 1]!]!;
        break;
      }
      case 5:
        x = r[a]! * r[ops[i + 2]!]!;
        break;
      case 6:
        x = Math.max(...maxima[a]!.map((register) => r[register]!));
        break;
      default:
        x = Number.NaN;
    }
    r.push(clamp(x, -BOUND, BOUND));
  }
  return r[formula.result]!;

  function readValue(value: Value): unknown {
    return 'v' in value ? values[value.v] : coerce(value.type, literalOf(value.literal));
  }

  function literalOf(literal: Literal): unknown {
    if ('v' in literal) return values[literal.v];
    // In a list, an absent variable is null.
    if ('list' in literal) return literal.list.map((each) => literalOf(each) ?? null);
    if (!('object' in literal)) return literal.value;
    return Object.fromEntries(Object.entries(literal.object).map(([name, each]) => [name, literalOf(each)]));
  }

  function sizeOf(size: Size): number {
    const { otherwise, above, aboveWins, ownReplaces, orElse } = size;
    if (orElse && most(orElse.unless) === undefined) return sizeOf(orElse.size);
    const own = most(size);
    const given = typeof above === 'object' ? (most(above) ?? above.otherwise) : above;
    if (given === undefined || (ownReplaces && own !== undefined)) return own ?? otherwise;
    return aboveWins ? given : Math.max(given, own ?? 0);
  }

  function most({ from, least = 0 }: Amounts): number | undefined {
    let largest: number | undefined;
    for (const one of from) {
      const amount = typeof one === 'number' ? one : amountOf(...one);
      if (amount !== undefined && !(largest! >= amount)) largest = amount;
    }
    return largest === undefined ? undefined : Math.max(largest, least);
  }

  function amountOf(
    of: Value,
    path: readonly string[],
    whenAbsent?: number | null,
    whenNegative?: number,
  ): number | undefined {
    let value = readValue(of);
    if (value === undefined) return whenAbsent ?? undefined;
    for (const name of path) value = ownValue(value, name);
    if (Array.isArray(value)) return value.length;
    // A string that is not a plain number counts as the largest size, the same as on the server.
    if (typeof value === 'string') value = /^-?\d+$/.test(value) ? Number(value) : MAX_COST;
    if (typeof value !== 'number' || Number.isNaN(value)) return undefined;
    // A negative number counts as missing.
    return value < 0 ? whenNegative : Math.min(Math.ceil(value), MAX_COST);
  }

  /**
   * Coerces a value as the API does, as far as the price depends on it. Returns undefined if the
   * API rejects the value.
   */
  function coerce(type: string, value: unknown): unknown {
    if (type.endsWith('!')) return value === null ? undefined : coerce(type.slice(0, -1), value);
    if (value === null || value === undefined) return value;
    if (type.startsWith('[')) {
      const items = (Array.isArray(value) ? value : [value]).map((each) => coerce(type.slice(1, -1), each ?? null));
      return items.includes(undefined) ? undefined : items;
    }
    if (Object.hasOwn(IS_SCALAR, type)) return IS_SCALAR[type]!(value) ? value : undefined;
    const fields = fieldsOf(type);
    if (fields === undefined) return value;
    if (typeof value !== 'object' || (Array.isArray(value) && value.length > 0)) return undefined;
    const result: Record<string, unknown> = { ...value };
    for (const [name, inner, , defaultValue] of fields) {
      const own = ownValue(value, name);
      const read = own === undefined ? defaultValue : coerce(inner, own);
      if (read === undefined && (own !== undefined || inner.endsWith('!'))) return undefined;
      result[name] = read;
    }
    return result;
  }

  function fieldsOf(type: string): readonly Field[] | undefined {
    return Object.hasOwn(inputs, type) ? inputs[type] : undefined;
  }

  function weigh(rules: Weight, input: Pick<Weight, 'type' | 'weight'>, value: unknown): number {
    const fields = fieldsOf(input.type.replace(/[[\]!]/g, ''));
    const { weight } = input;
    if (typeof weight === 'object' && weight !== null) {
      return weight.perElement * countElements(input.type, value) + weighFields(rules, fields, value);
    }
    if (rules.byItem) return weighItems(rules, { weight }, fields, input.type, value);
    return (weight ?? (fields ? rules.objectWeight : 0)) + weighFields(rules, fields, value);
  }

  function weighItems(
    rules: Weight,
    input: { readonly weight: number | null },
    fields: readonly Field[] | undefined,
    type: string,
    value: unknown,
  ): number {
    if (value === null) return 0;
    const inner = elementType(type);
    if (inner !== undefined && Array.isArray(value)) {
      return value.reduce<number>(
        (sum, each) => sum + weighItems(rules, input, fields, inner, each),
        input.weight ?? 0,
      );
    }
    return (input.weight ?? (fields ? rules.objectWeight : 0)) + weighFields(rules, fields, value);
  }

  function weighFields(rules: Weight, fields: readonly Field[] | undefined, value: unknown): number {
    if (fields === undefined || typeof value !== 'object' || value === null) return 0;
    if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + weighFields(rules, fields, each), 0);
    let sum = 0;
    for (const [name, type, weight] of fields) {
      const inner = ownValue(value, name);
      if (inner !== undefined) sum += weigh(rules, { type, weight }, inner);
    }
    return sum;
  }
}

/** Returns the element type of a list type. Undefined for other types. */
function elementType(type: string): string | undefined {
  return /^\[(.*)\]!?$/.exec(type)?.[1];
}

/**
 * Counts the elements of a list. In nested lists, it counts the elements of the innermost lists.
 * Null elements and empty inner lists count as one.
 */
function countElements(type: string, value: unknown): number {
  const inner = elementType(type);
  if (inner === undefined || !Array.isArray(value)) return value === null ? 0 : 1;
  return value.reduce<number>((count, each) => count + Math.max(1, countElements(inner, each)), 0);
}

function ownValue(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
