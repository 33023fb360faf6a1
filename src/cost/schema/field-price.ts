import { type GraphQLObjectType, isInterfaceType, isIntrospectionType, isObjectType } from 'graphql';
import type { FieldModel, SchemaModel, SizedLists, TypeModel } from './schema-model.js';

/** What of the price of a field can be set by annotations. */
export interface FieldPrice {
  /** Of one call, without what it returns. */
  readonly weight: number;
  readonly isList: boolean;
  /** How long its list is taken to be where no argument says so; null: it is no list, or arguments size it. */
  readonly assumedSize: number | null;
}

/** Where the size of a list comes from: its arguments, a field above it, an annotation, or nowhere. */
export type SizeSource = 'ARGUMENTS' | 'PARENT' | 'ASSUMED_SIZE' | 'DEFAULT';

/** A field of an object type, and what is known of its price. */
export interface FieldListing {
  readonly coordinate: string;
  /** As it is written in SDL. */
  readonly type: string;
  /** Of one call, as annotated; null: the profile's. */
  readonly weight: number | null;
  /** Of one object that it returns, as annotated; null: the profile's, or it returns none. */
  readonly typeWeight: number | null;
  /** A function of the schema prices its calls. */
  readonly isComputed: boolean;
  /** Null: it is no list. */
  readonly sizeSource: SizeSource | null;
  /** It comes from what arguments are named, here or at the field above, and from no annotation. */
  readonly isSizeInferred: boolean;
  /** Those that say how long the list is, with the input fields below them. */
  readonly sizeArguments: readonly string[];
  /** How long it is taken to be where no argument and no field above says so; null: it is no list. */
  readonly assumedSize: number | null;
}

/** All fields of the object types of a schema, by coordinate. */
export function listFields(model: SchemaModel): FieldListing[] {
  const sized = findSizedLists(model);
  const types = Object.values(model.schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !isIntrospectionType(type),
  );
  const fields = types.flatMap((type) =>
    Object.keys((type as GraphQLObjectType).getFields()).flatMap(
      (name) => model.composite(type.name)?.field(name) ?? [],
    ),
  );
  return fields.map((field) => listingOf(field, sized)).sort((a, b) => (a.coordinate < b.coordinate ? -1 : 1));
}

function listingOf(field: FieldModel, sized: SizedCoordinates): FieldListing {
  const isList = field.listDepth > 0;
  const source = (): SizeSource => {
    if (field.slicing.length > 0) return 'ARGUMENTS';
    if (sized.has(field.coordinate)) return 'PARENT';
    return field.fallbackSource === 'assumedSize' || field.isDefaultSaid ? 'ASSUMED_SIZE' : 'DEFAULT';
  };
  return {
    coordinate: field.coordinate,
    type: String(field.definition.type),
    weight: field.weight ?? null,
    typeWeight: field.child?.weight ?? null,
    isComputed: field.complexity !== undefined,
    sizeSource: isList ? source() : null,
    isSizeInferred: isList && (field.slicing.length > 0 ? field.isSizeInferred : sized.get(field.coordinate) === true),
    sizeArguments: field.slicing.map(({ argument, below }) => [argument.name, ...below].join('.')),
    assumedSize: isList ? field.fallbackSize : null,
  };
}

/** Looks up fields by their coordinates; null for one that the schema does not have. */
export function createFieldPrices(model: SchemaModel): (coordinate: string) => FieldPrice | null {
  let sized: SizedCoordinates | undefined;
  return (coordinate) => {
    const [typeName = '', fieldName = ''] = coordinate.split('.');
    const type = model.schema.getType(typeName);
    if (!isObjectType(type) && !isInterfaceType(type)) return null;
    // A field of an interface is what it is on its objects, which are annotated alike as a rule.
    const owner = isObjectType(type) ? typeName : model.schema.getPossibleTypes(type)[0]?.name;
    const field = owner === undefined ? undefined : model.composite(owner)?.field(fieldName);
    if (field === undefined) return null;
    const isList = field.listDepth > 0;
    sized ??= findSizedLists(model);
    const isSized = field.slicing.length > 0 || sized.has(field.coordinate);
    return { weight: field.weight ?? 0, isList, assumedSize: isList && !isSized ? field.fallbackSize : null };
  };
}

/** By coordinate, whether the size is inferred alone: an annotation of another field above it says otherwise. */
type SizedCoordinates = ReadonlyMap<string, boolean>;

/** The lists that a field above them sizes: `edges` of a connection. */
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
