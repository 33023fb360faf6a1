import { isInterfaceType, isObjectType } from 'graphql';
import type { SchemaModel, TypeModel } from './schema-model.js';
import type { SizedFields } from './sized-fields.js';

/** What of the price of a field can be set by annotations. */
export interface FieldPrice {
  /** Of one call, without what it returns. */
  readonly weight: number;
  readonly isList: boolean;
  /** How long its list is taken to be where no argument says so; null: it is no list, or arguments size it. */
  readonly assumedSize: number | null;
}

/** Looks up fields by their coordinates; null for one that the schema does not have. */
export function createFieldPrices(model: SchemaModel): (coordinate: string) => FieldPrice | null {
  let sized: ReadonlySet<string> | undefined;
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

/** The lists that a field above them sizes: `edges` of a connection. */
function findSizedLists(model: SchemaModel): Set<string> {
  const sized = new Set<string>();
  function add(parent: TypeModel | undefined, fields: SizedFields): void {
    for (const type of parent?.possible.types ?? []) {
      for (const name of fields) sized.add(`${type.name}.${name}`);
      for (const [name, below] of fields.below) add(type.field(name)?.child, below);
    }
  }
  for (const type of Object.values(model.schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const name of Object.keys(type.getFields())) {
      const field = model.composite(type.name)?.field(name);
      if (field?.sizedFields) add(field.child, field.sizedFields);
    }
  }
  return sized;
}
