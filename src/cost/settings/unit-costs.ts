import type { UnitCosts } from '../schema/field-price.js';
import type { FieldModel } from '../schema/schema-model.js';
import { callWeight, itemWeight, mostExpensiveType, type ResolvedProfile } from './cost-profile.js';

const UNKNOWN: UnitCosts = { callCost: null, itemCost: null };

/**
 * Returns what the parts of a field cost with the defaults of the profile, in tokens. Profiles that
 * price connections have no cost for a single field.
 */
export function unitCosts({ tariffs, per }: ResolvedProfile, field: FieldModel): UnitCosts {
  if (field.complexity !== undefined || per !== 1) return UNKNOWN;
  const types = field.child?.possible.whole.weights ?? [];
  return {
    callCost: tariffs.reduce((sum, tariff) => sum + callWeight(tariff, field), 0),
    itemCost: tariffs.reduce((sum, tariff) => sum + (itemWeight(tariff, field) ?? mostExpensiveType(tariff, types)), 0),
  };
}
