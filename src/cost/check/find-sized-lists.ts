import type { GraphQLObjectType } from 'graphql';
import type { FieldModel, SchemaModel, SizedLists, TypeModel } from '../schema/schema-model.js';

/**
 * Coordinates of the object lists of a schema, classified by the sizes that fields above them can
 * set.
 */
export interface SizesFromAbove {
  /** Coordinates of lists whose size some field above sets. */
  readonly sized: ReadonlySet<string>;
  /**
   * Coordinates of sized lists that a field above can make shorter than the default list size, on
   * at least one path.
   */
  readonly exact: ReadonlySet<string>;
  /** Coordinates of lists that an annotation sizes by `sizedFields`. */
  readonly annotated: ReadonlySet<string>;
  /**
   * Coordinates of lists that have no exact size from above on at least one path. There, no field
   * above sets a size, or the size cannot be below the default list size.
   */
  readonly unsized: ReadonlySet<string>;
  /**
   * Coordinates of the fields that return an object type and do not size its lists, by the name of
   * the type.
   */
  readonly returnedUnsized: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * Coordinates of the fields on a path from a field that sizes lists to these lists. An annotation
   * on such a field would replace that size.
   */
  readonly handingOn: ReadonlySet<string>;
}

/** Lists whose size a field above sets, on one path of the schema. */
interface Context {
  readonly fields: SizedLists;
  /** See `FieldModel`. */
  readonly exactLevels: number;
  /** Whether an operation may omit the size. */
  readonly isOptional: boolean;
}

/**
 * Follows every path of a schema, and sizes its lists in the same way as the compilation of
 * operations. It visits each type once for each size that fields above can pass to it.
 */
export function findSizedLists(model: SchemaModel): SizesFromAbove {
  const sized = new Set<string>();
  const annotated = new Set<string>();
  const exact = new Set<string>();
  const unsized = new Set<string>();
  const returnedUnsized = new Map<string, Set<string>>();
  const handingOn = new Set<string>();
  const seen = new Set<string>();
  const open: { type: TypeModel; context: Context | undefined }[] = [];

  function add(type: TypeModel | undefined, context: Context | undefined, via?: string): void {
    for (const each of type?.possible.types ?? []) {
      if (context === undefined && via !== undefined) {
        const fields = returnedUnsized.get(each.name) ?? new Set();
        returnedUnsized.set(each.name, fields.add(via));
      }
      const { fields, exactLevels, isOptional } = context ?? {};
      const key = `${each.name} ${fields?.key ?? ''} ${exactLevels ?? ''} ${isOptional ?? ''}`;
      if (seen.has(key)) continue;
      seen.add(key);
      open.push({ type: each, context });
    }
  }

  function note(field: FieldModel, context: Context | undefined): void {
    const { coordinate } = field;
    const isSized = context?.fields.sizes(field) === true;
    if (isSized) sized.add(coordinate);
    if (isSized && context.fields.level === undefined) annotated.add(coordinate);
    const isExact = isSized && (context.fields.level ?? 0) <= context.exactLevels;
    (isExact ? exact : unsized).add(coordinate);
  }

  for (const operation of ['query', 'mutation', 'subscription'] as const) {
    add(model.root(operation), undefined);
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { type, context } = next;
    for (const name of Object.keys((type.type as GraphQLObjectType).getFields())) {
      const field = type.field(name)!;
      if (field.child === undefined) continue;
      if (field.listDepth > 0) note(field, context);
      const nested = context?.fields.through(field);
      if (nested !== undefined) handingOn.add(field.coordinate);
      const { sizedFields, exactLevels, isSizeInferred, fallbackSource } = field;
      const own = sizedFields && { fields: sizedFields, exactLevels, isOptional: fallbackSource !== 'assumedSize' };
      const handedOn = nested && { ...context!, fields: nested };
      const isReplaced = isSizeInferred && handedOn !== undefined;
      add(field.child, own && !isReplaced ? own : handedOn, field.coordinate);
      if (own && isReplaced && handedOn.isOptional) add(field.child, own, field.coordinate);
    }
  }
  return { sized, exact, annotated, unsized, returnedUnsized, handingOn };
}
