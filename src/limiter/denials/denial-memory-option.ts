import { defineNumber } from '../../options/define-number.js';
import { optionsOrFalse } from '../../options/option-kinds.js';

export interface DenialMemoryOptions {
  /** How late a refund by another instance may be noticed, milliseconds. 0: nothing is remembered. @default 500 */
  maxAgeMs?: number;
  /** What is kept at most, in bytes of the heap, estimated. @default 4194304 */
  maxBytes?: number;
}

export const DENIAL_MEMORY = {
  maxAgeMs: defineNumber({ least: 0, most: 60_000, default: 500, unit: 'milliseconds' }),
  maxBytes: defineNumber({ least: 0, default: 4 * 2 ** 20, unit: 'bytes' }),
};

export const denialMemoryOption = optionsOrFalse<DenialMemoryOptions>(DENIAL_MEMORY);
