import { type CompiledOperation, fieldsOf, type PlanField, type PlanPosition } from '../compile/compiled-operation.js';
import type { Tariff } from '../settings/cost-profile.js';
import type { FieldCost } from '../values/field-cost.js';
import type { ProgramInput } from './algebra.js';
import { estimateFields } from './field-totals.js';
import { priceFunctionOf } from './price-function-of.js';
import { RequestPricing } from './request-pricing.js';

/**
 * Function that returns the maximum calls and cost of each field of an operation. It may return the
 * same array again, so callers must not change it.
 */
export type FieldEstimates = (input: ProgramInput) => readonly FieldCost[];

/**
 * Maximum number of cached field costs per operation. It is enough for about 64 combinations of
 * list sizes if the operation has 32 fields. Clients use only a few page sizes, so few combinations
 * occur.
 */
const MAX_KEPT_NUMBERS = 2048;

/**
 * Creates the field estimates of an operation. Usage accounting needs them for every request, and
 * most requests differ only in ids and strings. The results are therefore cached by list sizes, if
 * no other part of the price depends on variables.
 */
export function createFieldEstimates(compiled: CompiledOperation, tariffs: readonly Tariff[]): FieldEstimates {
  let bySizes: Map<string, readonly FieldCost[]> | undefined;
  /**
   * Whether results are cached. Undefined before the second request, because many operations are
   * requested only once.
   */
  let isKept: boolean | undefined;

  return (input) => {
    if (bySizes === undefined) bySizes = new Map();
    else isKept ??= compiled.root === undefined || dependsOnSizesAlone(compiled.root);
    if (!isKept) return estimateFields(compiled, tariffs, new RequestPricing(input));
    const key = input.sizes.join();
    let fields = bySizes.get(key);
    if (fields === undefined) {
      fields = estimateFields(compiled, tariffs, new RequestPricing(input));
      if ((bySizes.size + 1) * (fields.length + 1) > MAX_KEPT_NUMBERS) bySizes.clear();
      bySizes.set(key, fields);
    }
    return fields;
  };
}

function dependsOnSizesAlone(root: PlanPosition): boolean {
  const seen = new Set<PlanPosition>();
  const isPlain = (field: PlanField): boolean =>
    field.condition.kind === 'always' &&
    field.priced === undefined &&
    field.directives === undefined &&
    priceFunctionOf(field) === undefined &&
    (field.child === undefined || isPlainBelow(field.child));
  function isPlainBelow(position: PlanPosition): boolean {
    if (seen.has(position)) return true;
    seen.add(position);
    return position.groups.every((group) => fieldsOf(group).every(isPlain));
  }
  return isPlainBelow(root);
}
