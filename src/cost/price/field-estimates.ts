import { type CompiledOperation, fieldsOf, type PlanField, type PlanPosition } from '../compile/compiled-operation.js';
import type { Tariff } from '../settings/cost-profile.js';
import type { FieldCost } from '../values/field-cost.js';
import type { ProgramInput } from './algebra.js';
import { estimateFields } from './field-totals.js';
import { priceFunctionOf } from './price-function-of.js';
import { RequestPricing } from './request-pricing.js';

/** What each field of an operation costs at most; the same array for the same numbers, where that is easy to know. */
export type FieldEstimates = (input: ProgramInput) => readonly FieldCost[];

/** Pages come in few sizes: 64 of them for 32 fields, fewer for more. */
const MAX_KEPT_NUMBERS = 2048;

/**
 * Usage asks for these of every request, and most requests differ in ids and texts alone: where nothing of a price but the
 * lengths of lists depends on variables, what was worked out for some lengths is kept.
 */
export function createFieldEstimates(compiled: CompiledOperation, tariffs: readonly Tariff[]): FieldEstimates {
  let bySizes: Map<string, readonly FieldCost[]> | undefined;
  /** Not known before the second request: many operations have one only. */
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
