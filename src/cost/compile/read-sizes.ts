import type { VariableValues } from './operation-variables.js';
import {
  givenSize,
  type ListSizeSlot,
  readListSize,
  type SizeChoice,
  type SizeOption,
  sizeBelow,
  sizeOfItself,
  toAmount,
} from './read-size-sources.js';

/** Indices of the slots for which a request is rejected. */
export interface RejectedSlots {
  /** Slots with more slicing arguments than allowed, or with none although one is required. */
  unsliced: number[] | undefined;
  /** Slots whose requested size exceeds the maximum. */
  tooLarge: number[] | undefined;
}

/**
 * Returns the sizes of all slots, by index.
 * @param violations object to which the indices of rejected slots are added
 */
export function readSizes(
  slots: readonly ListSizeSlot[],
  variables: VariableValues,
  violations: RejectedSlots,
): number[] {
  // Allocate the array with its final length. An array that grows by `push` reserves memory for 17
  // elements.
  const sizes = new Array<number>(slots.length);
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    const { index, model, sources, simple, maxSize } = slot;
    const value = simple && variables.values[simple.variable];
    let size: number;
    let isAsked: boolean;
    if (simple && typeof value === 'number') {
      // A negative number counts as absent.
      size = toAmount(value, 'number') ?? simple.whenAbsent;
      isAsked = value >= 0 || simple.hasDefault;
      if (value < 0 && simple.isRequired) note(violations, 'unsliced', index);
    } else if (simple && (value === undefined || value === null)) {
      size = value === undefined ? simple.whenAbsent : simple.whenNull;
      isAsked = value === undefined && simple.hasDefault;
      if (simple.isRequired) note(violations, 'unsliced', index);
    } else if (slot.choice !== undefined) {
      const { size: chosen } = optionOf(slot.choice, variables);
      size = typeof chosen === 'number' ? chosen : sizes[chosen.index]!;
      isAsked = askedOfSlot(slot, variables) > maxSize;
    } else if (slot.above !== undefined) {
      // The slot of the field's own size reports slicing violations, so this slot does not.
      size = readSizedList(slot, slot.above, variables);
      isAsked = askedOfSlot(slot, variables) > maxSize;
    } else {
      const { size: read, violates, source } = readListSize(model, sources, variables);
      size = read;
      isAsked = source !== undefined;
      if (violates) note(violations, 'unsliced', index);
    }
    sizes[i] = size;
    if (isAsked && size > maxSize) note(violations, 'tooLarge', index);
  }
  return sizes;
}

/** Returns the size that the list has in a request. */
function optionOf({ by, given, absent }: SizeChoice, variables: VariableValues): SizeOption {
  return sizeBelow(by.model, by.sources, variables) === undefined ? absent : given;
}

function note(violations: RejectedSlots, why: keyof RejectedSlots, index: number): void {
  violations[why] ??= [];
  violations[why].push(index);
}

/**
 * Returns the size that the caller requests by variables. Returns 0 if the list has no maximum.
 * Ignores a constant size, because it may be assumed instead of requested. `asksTooMuch` checks it
 * at compile time.
 */
export function askedOfSlot(slot: ListSizeSlot, variables: VariableValues): number {
  const { model, sources, above, page, choice, maxSize } = slot;
  if (maxSize === Number.POSITIVE_INFINITY) return 0;
  if (choice !== undefined) {
    const { size, isTooLarge } = optionOf(choice, variables);
    if (typeof size !== 'number') return askedOfSlot(size, variables);
    return isTooLarge ? size : 0;
  }
  const own = givenSize(model, sources, variables);
  if (above === undefined || typeof above === 'number') return own ?? 0;
  if (own !== undefined && page?.ownReplaces) return own;
  return Math.max(own ?? 0, givenSize(above.model, above.sources, variables) ?? 0);
}

/**
 * Returns the size of a list for which a field above it sets the size. If the list has slicing
 * arguments too, the larger size applies, unless a rule lets one size replace the other.
 *
 * If the field above has no size, the list's own size applies. Otherwise a client could omit the
 * page size and request a long list at a low cost.
 */
function readSizedList(
  { model, sources, page }: Pick<ListSizeSlot, 'model' | 'sources' | 'page'>,
  above: number | ListSizeSlot,
  variables: VariableValues,
): number {
  const own = givenSize(model, sources, variables);
  if (own !== undefined && page?.ownReplaces) return own;
  const size = typeof above === 'number' ? above : sizeBelow(above.model, above.sources, variables);
  if (size === undefined) return own ?? sizeOfItself(model);
  if (model.pageSizeWins && page === undefined) return size;
  return Math.max(size, own ?? 0, page?.least ?? 0);
}
