import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
} from 'graphql';
import type { Annotations } from '../annotations/annotations.js';
import type { SchemaProblem } from '../annotations/schema-problem.js';
import { readSizedFields } from '../annotations/sized-fields.js';
import type { FieldModel, SchemaModel } from '../schema/schema-model.js';
import type { Tariff } from '../settings/cost-profile.js';
import { allFields } from './all-fields.js';
import { fieldsOfName } from './fields-of-name.js';

interface UnpricedSizesOptions {
  readonly schema: GraphQLSchema;
  readonly model: SchemaModel;
  readonly tariffs: readonly Tariff[];
  readonly annotations: Annotations;
}

/**
 * Returns a warning for each list argument in `slicingArguments` whose length does not affect the
 * price. The length has no effect if the items of the sized lists cost nothing. For example, a
 * mutation that invites five thousand addresses would then cost the same as one that invites a
 * single address.
 */
export function findUnpricedSizes({ schema, model, tariffs, annotations }: UnpricedSizesOptions): SchemaProblem[] {
  return allFields(schema).flatMap(({ type, field, coordinate }) => {
    const listSize = annotations.listSize(field, coordinate);
    if (listSize === undefined) return [];
    const own = model.composite(type.name)?.field(field.name);
    const lists = listSize.sizedFields.length > 0 ? sizedBelow(field, listSize.sizedFields) : [own];
    if (lists.some((list) => list === undefined || isPricedByItem(list, tariffs))) return [];
    return listSize.slicingArguments.flatMap((path): SchemaProblem[] => {
      const argument = own?.arguments.find(({ name }) => name === path);
      const at = `${coordinate}(${path}:)`;
      if (argument === undefined || argument.perElement || !isListType(getNullableType(argument.type))) return [];
      return [
        {
          severity: 'warning',
          coordinate,
          message:
            `slicingArguments: the length of "${path}" has no price, because the items of the list cost nothing; ` +
            `add @cost(weight: "1", perElement: true) to the argument, or "${at}": { weight: 1, perElement: true } to the overlay`,
        },
      ];
    });
  });

  /**
   * Returns the lists that `sizedFields` names directly below a field. Returns `[undefined]` if it
   * has paths.
   */
  function sizedBelow({ type }: GraphQLField<unknown, unknown>, names: readonly string[]): (FieldModel | undefined)[] {
    const fields = readSizedFields(names);
    // Paths lead to lists of objects at deeper levels, which usually cost something.
    if (fields.below.size > 0) return [undefined];
    return [...fields].flatMap((name) =>
      fieldsOfName(schema, getNamedType(type), name).map(({ holder }) => model.composite(holder.name)?.field(name)),
    );
  }
}

/** Returns whether a longer list costs more. */
function isPricedByItem({ child, definition, leafWeight, weight, complexity }: FieldModel, tariffs: readonly Tariff[]) {
  if (child !== undefined || complexity !== undefined || isCompositeType(getNamedType(definition.type))) return true;
  return tariffs.some(
    (tariff) =>
      tariff.connections !== undefined ||
      (tariff.countsTypes && (leafWeight ?? tariff.scalarWeight) !== 0) ||
      (tariff.fieldWeightPerItem && tariff.countsCalls && (weight ?? tariff.scalarFieldWeight) !== 0),
  );
}
