import { type GraphQLObjectType, isInterfaceType, isIntrospectionType, isObjectType } from 'graphql';
import type { FieldModel, SchemaModel, SizedLists, TypeModel } from './schema-model.js';

/** Those parts of the price of a field that annotations can set. */
export interface FieldPrice {
  /** Annotated weight of one call, without the returned objects. 0 if the field has none. */
  readonly weight: number;
  readonly isList: boolean;
  /**
   * Assumed size of the list. Null if the field is not a list, or if its arguments or a field above
   * it set the size.
   */
  readonly assumedSize: number | null;
}

/**
 * Source of the size of a list: its arguments, a field above it, an annotation, or the default list
 * size.
 */
export type SizeSource = 'ARGUMENTS' | 'PARENT' | 'ASSUMED_SIZE' | 'DEFAULT';

/** Field of an object type, with its weights and the source of its list size. */
export interface FieldListing {
  readonly coordinate: string;
  /** Type in SDL notation. */
  readonly type: string;
  /** Annotated weight of one call. Null if the default of the profile applies. */
  readonly weight: number | null;
  /**
   * Annotated weight of one returned value; for an interface or union, the highest weight of its
   * types. Null if the default of the profile applies.
   */
  readonly typeWeight: number | null;
  /** Whether a price function determines the price of the calls. */
  readonly isComputed: boolean;
  /**
   * Cost of one call under the profile, without the returned objects. Null if a function computes
   * it.
   */
  readonly callCost: number | null;
  /** Cost of each returned value; for an object, that of the most expensive possible type. */
  readonly itemCost: number;
  /**
   * Cost of one call with the returned values, without arguments and nested fields. A list has its
   * `assumedSize`. Null if a function computes the cost, or if a field above sizes the list.
   */
  readonly cost: number | null;
  /** Source of the list size. Null if the field is not a list. */
  readonly sizeSource: SizeSource | null;
  /** Whether the size is inferred from the names of arguments of this field or of a field above. */
  readonly isSizeInferred: boolean;
  /** Arguments, or input fields below them, that size the list. */
  readonly sizeArguments: readonly string[];
  /**
   * Size of the list if no argument and no field above sets one. Null if the field is not a list.
   */
  readonly assumedSize: number | null;
}

/** Numbers of a field that depend on the profile. */
type ProfilePrice = Pick<FieldListing, 'callCost' | 'itemCost' | 'cost'>;

/**
 * Returns all fields of the object types of a schema, sorted by coordinate.
 * @param priceOf returns the price of a field under the profile
 */
export function listFields(
  model: SchemaModel,
  priceOf: (field: FieldModel) => { [Name in keyof ProfilePrice]: number },
): FieldListing[] {
  const sized = findSizedLists(model);
  const types = Object.values(model.schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !isIntrospectionType(type),
  );
  const fields = types.flatMap((type) =>
    Object.keys((type as GraphQLObjectType).getFields()).flatMap(
      (name) => model.composite(type.name)?.field(name) ?? [],
    ),
  );
  return fields
    .map((field) => listingOf(field, sized, priceOf(field)))
    .sort((a, b) => (a.coordinate < b.coordinate ? -1 : 1));
}

function listingOf(
  field: FieldModel,
  sized: SizedCoordinates,
  { callCost, itemCost, cost }: { [Name in keyof ProfilePrice]: number },
): FieldListing {
  const isList = field.listDepth > 0;
  const isComputed = field.complexity !== undefined;
  const source = (): SizeSource => {
    if (field.slicing.length > 0) return 'ARGUMENTS';
    if (sized.has(field.coordinate)) return 'PARENT';
    return field.fallbackSource === 'assumedSize' || field.isDefaultGiven ? 'ASSUMED_SIZE' : 'DEFAULT';
  };
  return {
    coordinate: field.coordinate,
    type: String(field.definition.type),
    weight: field.weight ?? null,
    typeWeight: annotatedItemWeight(field),
    isComputed,
    callCost: isComputed ? null : callCost,
    itemCost,
    cost: isComputed || (isList && source() === 'PARENT') ? null : cost,
    sizeSource: isList ? source() : null,
    isSizeInferred: isList && (field.slicing.length > 0 ? field.isSizeInferred : sized.get(field.coordinate) === true),
    sizeArguments: field.slicing.map(({ argument, below }) => [argument.name, ...below].join('.')),
    assumedSize: isList ? field.fallbackSize : null,
  };
}

/** Returns the highest annotated weight of the returned values; null if there is none. */
function annotatedItemWeight({ child, leafWeight }: FieldModel): number | null {
  if (child === undefined) return leafWeight ?? null;
  const weights = child.possible.types.flatMap(({ weight }) => weight ?? []);
  return weights.length === 0 ? null : Math.max(...weights);
}

/**
 * Creates a lookup of field prices by coordinate. It returns null for a coordinate that the schema
 * does not have.
 */
export function createFieldPrices(model: SchemaModel): (coordinate: string) => FieldPrice | null {
  let sized: SizedCoordinates | undefined;
  return (coordinate) => {
    const [typeName = '', fieldName = ''] = coordinate.split('.');
    const type = model.schema.getType(typeName);
    if (!isObjectType(type) && !isInterfaceType(type)) return null;
    // The price of an interface field is that of the field on the first object type that implements
    // the interface. These types usually have the same annotations.
    const owner = isObjectType(type) ? typeName : model.schema.getPossibleTypes(type)[0]?.name;
    const field = owner === undefined ? undefined : model.composite(owner)?.field(fieldName);
    if (field === undefined) return null;
    const isList = field.listDepth > 0;
    sized ??= findSizedLists(model);
    const isSized = field.slicing.length > 0 || sized.has(field.coordinate);
    return { weight: field.weight ?? 0, isList, assumedSize: isList && !isSized ? field.fallbackSize : null };
  };
}

/**
 * Sized lists by coordinate. The value is false if an annotation of any field above sets the size,
 * and true if it is only inferred.
 */
type SizedCoordinates = ReadonlyMap<string, boolean>;

/** Finds the lists whose size a field above them sets, such as `edges` of a connection. */
function findSizedLists(model: SchemaModel): SizedCoordinates {
  const sized = new Map<string, boolean>();
  const done = new Set<string>();
  function add(parent: TypeModel | undefined, lists: SizedLists, isInferred: boolean): void {
    const key = `${parent?.name} ${isInferred} ${lists.key}`;
    if (done.has(key)) return;
    done.add(key);
    for (const type of parent?.possible.types ?? []) {
      for (const name of Object.keys((type.type as GraphQLObjectType).getFields())) {
        const field = type.field(name)!;
        if (field.listDepth > 0 && lists.sizes(field)) {
          sized.set(field.coordinate, isInferred && sized.get(field.coordinate) !== false);
        }
        const below = lists.through(field);
        if (below !== undefined) add(field.child, below, isInferred);
      }
    }
  }
  for (const type of Object.values(model.schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const name of Object.keys(type.getFields())) {
      const field = model.composite(type.name)?.field(name);
      if (field?.sizedFields) add(field.child, field.sizedFields, field.isSizeInferred);
    }
  }
  return sized;
}
