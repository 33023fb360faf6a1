import { z } from 'zod';
import { MAX_AMOUNT } from '../tier-input.js';
import { flag, text, wholeNumber } from '../values.js';

/** What every change takes besides its object. */
export interface ChangeOptions {
  /** Why, for the record of changes. */
  comment?: string | null | undefined;
  /** Validate and say what would be, without changing it. @default false */
  dryRun?: boolean | undefined;
}

export interface UpdateOptions extends ChangeOptions {
  /** Refuse with `STALE_VERSION` if the object has another version. */
  expectedVersion?: number | undefined;
}

export interface CreateOptions extends ChangeOptions {
  /** A repeated request with this key creates nothing and answers with what the first one created. Kept for a day. */
  idempotencyKey?: string | undefined;
}

export const changeOptions = { comment: text(0, 1000).nullish(), dryRun: flag().optional() };

export const updateOptions = { ...changeOptions, expectedVersion: wholeNumber(1, MAX_AMOUNT).optional() };

export const createOptions = { ...changeOptions, idempotencyKey: text(1, 200).optional() };

const anyOptions = z.object({ ...updateOptions, ...createOptions });

/** The options of a change, and apart from them what is said about the object itself; undefined is left out. */
export function splitOptions<Input extends UpdateOptions & CreateOptions>(input: Input) {
  const { comment, dryRun = false, expectedVersion, idempotencyKey, ...attributes } = input;
  const given = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
  const { error } = anyOptions.safeParse({ comment, dryRun, expectedVersion, idempotencyKey });
  return { options: { comment, dryRun, expectedVersion, idempotencyKey }, attributes: given, error };
}
