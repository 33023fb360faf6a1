import { defaultText } from '../schema/default-text.js';
import type { InputModel } from '../schema/input-model.js';
import type { FieldModel, TypeModel, TypeSet } from '../schema/schema-model.js';
import { CostError } from '../values/cost-error.js';

const known = new WeakMap<TypeSet, Map<string, readonly FieldModel[]>>();
const structures = new WeakMap<FieldModel, string>();

/**
 * Returns fields whose total cost is at least that of the field `name` on any type of the set.
 * Fields that differ only in numbers are merged into one field, which has the highest value of each
 * number.
 * @param selectedOn the type that the field is selected on
 * @throws CostError OPERATION_TOO_COMPLEX if the field returns objects and has a price function
 */
export function dominatingFields(types: TypeSet, selectedOn: TypeModel, name: string): readonly FieldModel[] {
  const classes = types.classesOf(name);
  if (classes.length === 0) return [];
  if (classes.some(({ field }) => field.complexity !== undefined && field.child !== undefined))
    throw functionBelow(name);
  if (classes.length === 1) return [classes[0]!.field];
  const ofSet = known.get(types) ?? new Map<string, readonly FieldModel[]>();
  known.set(types, ofSet);
  const key = `${selectedOn.name}.${name}`;
  let fields = ofSet.get(key);
  if (fields === undefined) {
    const alike = new Map<string, FieldModel[]>();
    for (const { field } of classes) {
      const structure = structureOf(field);
      const others = alike.get(structure);
      if (others === undefined) alike.set(structure, [field]);
      else others.push(field);
    }
    fields = [...alike.values()].map((each) => (each.length === 1 ? each[0]! : dominate(each, selectedOn)));
    ofSet.set(key, fields);
  }
  return fields;
}

/**
 * Creates the error for a field with a price function and selections below it. An upper bound for
 * such a field is impossible, because the function may return any price for any price of its items.
 */
function functionBelow(name: string): CostError {
  const detail = `its exact price depends on the selections below "${name}", and takes too many steps to compute; select fewer fields or spread fewer fragments`;
  return new CostError('OPERATION_TOO_COMPLEX', detail);
}

function dominate(fields: readonly FieldModel[], selectedOn: TypeModel): FieldModel {
  const first = fields[0]!;
  const highest = (read: (field: FieldModel) => number | undefined): number | undefined =>
    fields.reduce<number | undefined>((most, field) => {
      const value = read(field);
      return value === undefined || (most !== undefined && most >= value) ? most : value;
    }, undefined);
  const isOneType = fields.every(({ child }) => child === first.child);
  const heaviest = (argument: InputModel): InputModel => {
    if (argument.weight === undefined) return argument;
    const at = first.arguments.indexOf(argument);
    return { ...argument, weight: highest((field) => field.arguments[at]!.weight) };
  };
  return {
    ...first,
    pricedArguments: first.pricedArguments.map(heaviest),
    // The return type of the interface field includes the return types on all object types.
    child: isOneType ? first.child : selectedOn.field(first.name)?.child,
    weight: highest(({ weight }) => weight),
    leafWeight: highest(({ leafWeight }) => leafWeight),
    fallbackSize: highest(({ fallbackSize }) => fallbackSize)!,
    compiled: { mark: 0, plain: undefined },
  };
}

/**
 * Returns a key that is the same for fields that differ only in the numbers that `dominate`
 * compares.
 */
function structureOf(field: FieldModel): string {
  let structure = structures.get(field);
  if (structure === undefined) {
    structure = JSON.stringify([
      field.weight === undefined,
      field.leafWeight === undefined,
      field.child === undefined,
      field.complexity === undefined ? 0 : field.coordinate,
      field.isFree,
      field.listDepth,
      field.innerListSize,
      field.defaultSize,
      field.fallbackSource,
      field.rejectsSeveral,
      field.rejectsNone,
      field.maxSize,
      field.sizedFields?.key,
      field.exactLevels,
      field.isPage,
      field.pageDistance(),
      field.slicing.map(({ argument, below, hasDefault }) => [argument.name, below, hasDefault]),
      field.arguments.map((each) => [
        each.name,
        String(each.type),
        each.weight === undefined,
        each.perElement,
        defaultText(each.defaultValue),
      ]),
    ]);
    structures.set(field, structure);
  }
  return structure;
}
