import type { FieldClass, FieldModel, GroupTypes, TypeModel, TypeSet } from './schema-model.js';

interface TypeSets {
  of(types: readonly TypeModel[]): TypeSet;
}

/**
 * Maximum number of cached sets. It is limited because operations of callers can create many sets.
 * When the maximum is exceeded, the cache is cleared. Equal sets may then be different objects.
 */
const MAX_KEPT_SETS = 10_000;

export function createTypeSets(): TypeSets {
  let kept = new Map<string, TypeSet>();

  function of(types: readonly TypeModel[]): TypeSet {
    const key = types
      .map((type) => type.id)
      .sort((a, b) => a - b)
      .join();
    const known = kept.get(key);
    if (known) return known;
    if (kept.size >= MAX_KEPT_SETS) kept = new Map();
    const set = createTypeSet(types, of);
    kept.set(key, set);
    return set;
  }

  return { of };
}

function createTypeSet(types: readonly TypeModel[], of: TypeSets['of']): TypeSet {
  const only = types.length === 1 ? types[0] : undefined;
  const members = new Set(types);
  const narrowed = new Map<TypeModel, TypeSet | null>();
  const classes = new Map<string, readonly FieldClass[]>();
  let whole: GroupTypes | undefined;
  const set: TypeSet = {
    types,
    get whole() {
      whole ??= { weights: distinctWeights(types), base: set, members: undefined, without: undefined };
      return whole;
    },
    only,
    collected: { mark: 0, place: 0 },
    has: only ? (type) => type === only : (type) => members.has(type),
    narrow: (condition) => {
      let result = narrowed.get(condition);
      if (result === undefined) {
        result = intersect(condition) ?? null;
        narrowed.set(condition, result);
      }
      return result ?? undefined;
    },
    classesOf: (fieldName) => {
      const known = classes.get(fieldName);
      if (known) return known;
      const divided = divide(fieldName);
      if (divided.length > 0) classes.set(fieldName, divided);
      return divided;
    },
  };

  function intersect(condition: TypeModel): TypeSet | undefined {
    if (!condition.isAbstract) return set.has(condition) ? condition.possible : undefined;
    const common = types.filter((type) => condition.possible.has(type));
    if (common.length === types.length) return set;
    return common.length === 0 ? undefined : of(common);
  }

  function divide(fieldName: string): FieldClass[] {
    const bySignature = new Map<string, FieldModel[]>();
    for (const type of types) {
      const field = type.field(fieldName);
      if (field === undefined) continue;
      const alike = bySignature.get(field.signature());
      if (alike) alike.push(field);
      else bySignature.set(field.signature(), [field]);
    }
    return [...bySignature.values()].map((fields) => ({
      types: fields.length === types.length ? set : of(fields.map((field) => field.owner)),
      field: fields[0]!,
    }));
  }

  return set;
}

/** Returns the distinct annotated weights of types. */
export function distinctWeights(types: readonly TypeModel[]): (number | undefined)[] {
  const weights: (number | undefined)[] = [];
  for (const { weight } of types) if (!weights.includes(weight)) weights.push(weight);
  return weights;
}
