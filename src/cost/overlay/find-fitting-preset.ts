import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';
import { COST_PRESETS, type CostPreset } from '../settings/cost-presets.js';
import { isPattern } from './create-pattern.js';

/**
 * Returns the first preset whose keys without `*` are all in the schema. Ignores presets that have
 * no such key.
 */
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
