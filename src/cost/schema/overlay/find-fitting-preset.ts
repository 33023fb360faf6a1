import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';
import { COST_PRESETS, type CostPreset } from './cost-presets.js';
import { isPattern } from './overlay-pattern.js';

/** Returns the preset that is made for a schema: one of which the schema has every field that is named with its type. */
export function findFittingPreset(schema: GraphQLSchema): CostPreset | undefined {
  const hasField = (coordinate: string): boolean => {
    const [owner = '', name = ''] = coordinate.split('.');
    const type = schema.getType(owner);
    return (isObjectType(type) || isInterfaceType(type)) && Object.hasOwn(type.getFields(), name);
  };
  return (Object.keys(COST_PRESETS) as CostPreset[]).find((name) => {
    const named = Object.keys(COST_PRESETS[name]).filter((key) => !isPattern(key));
    return named.length > 0 && named.every(hasField);
  });
}
