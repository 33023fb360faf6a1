import type { FieldModel, SizedLists } from '../schema/schema-model.js';
import type { ListSizeSlot } from './read-size-sources.js';

/** Size that a field sets for the `sizedFields` below it. */
export interface Sizing {
  readonly fields: SizedLists;
  readonly size: number | ListSizeSlot;
  /**
   * Whether the size is that of an argument in the operation or of its default in the schema. False
   * if the size is assumed.
   */
  readonly isAsked: boolean;
  /** `FieldModel.exactLevels` of the field that sets the size. */
  readonly exactLevels: number;
  /**
   * Slot whose size takes precedence. This sizing applies only to requests that do not set that
   * size. Undefined if this sizing applies to all requests.
   */
  readonly unless: ListSizeSlot | undefined;
  /**
   * Sizing for the requests that do not set `size`; its `unless` is the slot of `size`. Undefined
   * if the lists then have their own sizes.
   */
  readonly orElse: Sizing | undefined;
}

export function sameSizing(a: Sizing | undefined, b: Sizing | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return (
    a.fields === b.fields &&
    a.size === b.size &&
    a.isAsked === b.isAsked &&
    a.exactLevels === b.exactLevels &&
    a.unless === b.unless &&
    sameSizing(a.orElse, b.orElse)
  );
}

/** Returns a string that is equal for equal sizings. */
export function sizingKey(sizing: Sizing | undefined): string {
  if (sizing === undefined) return '';
  const { size, isAsked, exactLevels, unless, orElse } = sizing;
  const sizeKey = typeof size === 'number' ? `${size}` : `#${size.index}`;
  const choiceKey = `${unless ? `!${unless.index}` : ''}${orElse ? `/${sizingKey(orElse)}` : ''}`;
  return `${sizeKey}${isAsked ? '' : '?'}:${exactLevels}:${sizing.fields.key}${choiceKey}`;
}

/** Returns a string that is equal for sizings of the same lists. */
export function listsKey({ fields, orElse }: Sizing): string {
  return orElse === undefined ? fields.key : `${fields.key}/${orElse.fields.key}`;
}

/** Returns whether the size applies to a list field, in all or some requests. */
export function sizesList({ fields, orElse }: Sizing, model: FieldModel): boolean {
  return fields.sizes(model) || (orElse !== undefined && sizesList(orElse, model));
}

/** Returns the part of a sizing that applies below a field. Returns undefined if none does. */
export function sizingThrough(sizing: Sizing | undefined, model: FieldModel): Sizing | undefined {
  if (sizing === undefined) return undefined;
  const fields = sizing.fields.through(model);
  const orElse = sizingThrough(sizing.orElse, model);
  return fields === undefined ? orElse : { ...sizing, fields, orElse };
}

/** Two sizings of one list: `given` applies if the request sets the size of `by`, else `absent`. */
interface SizingChoice {
  readonly by: ListSizeSlot;
  readonly given: Sizing | undefined;
  readonly absent: Sizing;
}

/**
 * Returns the sizings between which each request decides for a list. Returns undefined if the same
 * sizing applies to all requests. A sizing without a size leaves the list its own size.
 */
export function choiceFor(sizing: Sizing, model: FieldModel): SizingChoice | undefined {
  const absent = sizing.unless === undefined ? sizing.orElse : sizing;
  if (absent?.unless === undefined || !absent.fields.sizes(model)) return undefined;
  const given = absent !== sizing && sizing.fields.sizes(model) ? sizing : undefined;
  return { by: absent.unless, given, absent };
}

/**
 * Returns the slot of the size if a request may leave it unset, so that another sizing applies.
 * Returns undefined if every request has the size.
 */
export function optionalSlotOf({ size }: Sizing): ListSizeSlot | undefined {
  return typeof size === 'number' || size.model.fallbackSource === 'assumedSize' ? undefined : size;
}
