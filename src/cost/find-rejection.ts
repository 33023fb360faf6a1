import {
  type CompiledOperation,
  type FieldRejection,
  fieldsOf,
  type PlanField,
  type PlanPosition,
} from './compile/compiled-operation.js';
import { isIncluded } from './compile/condition.js';
import type { VariableValues } from './compile/operation-variables.js';
import { askedOfSlot, type RejectedSlots } from './compile/read-sizes.js';
import { CostError } from './values/cost-error.js';

/**
 * Returns the error for the first field that violates a rule about slicing arguments or requests
 * more than `maxSize`. Returns undefined if `@skip` or `@include` excludes all such fields.
 * @param violations size slots (`ListSizeSlot`) that violate a rule with these variables
 */
export function findRejection(
  { root }: CompiledOperation,
  variables: VariableValues,
  violations: RejectedSlots,
): CostError | undefined {
  const unsliced = new Set(violations.unsliced);
  const tooLarge = new Set(violations.tooLarge);
  const seen = new Set<PlanPosition>();
  const path: string[] = [];

  function search(position: PlanPosition): CostError | undefined {
    if (seen.has(position)) return undefined;
    seen.add(position);
    for (const group of position.groups) {
      for (const field of fieldsOf(group)) {
        if (!isIncluded(field.condition, variables.values)) continue;
        path.push(field.responseName);
        const rejection = rejectionOf(field);
        const found = rejection ? errorOf(field, rejection) : field.child && search(field.child);
        if (found) return found;
        path.pop();
      }
    }
    return undefined;
  }

  function rejectionOf({ rejection, given, size }: PlanField): FieldRejection | undefined {
    if (rejection !== undefined) return rejection;
    if (typeof given !== 'number') {
      if (unsliced.has(given.index)) return 'slicing';
      if (tooLarge.has(given.index)) return 'size';
    }
    return typeof size !== 'number' && tooLarge.has(size.index) ? 'size' : undefined;
  }

  function errorOf(field: PlanField, rejection: FieldRejection): CostError {
    const { model, node } = field;
    const place = { nodes: node && [node], path: [...path] };
    if (rejection === 'size') return sizeErrorOf(field, place);
    const names = model.slicing.map((each) => [each.argument.name, ...each.below].join('.'));
    const number = model.rejectsNone ? 'requires exactly' : 'accepts at most';
    const detail = `${model.coordinate} ${number} one of ${names.join(', ')}`;
    return new CostError('COST_SLICING_ARGUMENT', detail, place);
  }

  function sizeErrorOf({ model, given, size }: PlanField, place: object): CostError {
    const { coordinate, maxSize = 0 } = model;
    const asked = [given, size].map((each) => (typeof each === 'number' ? each : askedOfSlot(each, variables)));
    const requestedSize = Math.max(...asked);
    const detail = `${coordinate}: requested ${requestedSize} items, the maximum is ${maxSize}`;
    return new CostError('MAX_LIST_SIZE_EXCEEDED', detail, {
      ...place,
      extensions: { coordinate, requestedSize, maximumSize: maxSize },
    });
  }

  return root && search(root);
}
