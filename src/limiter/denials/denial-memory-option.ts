import { defineNumber } from '../../options/define-number.js';
import { optionsOrFalse } from '../../options/option-kinds.js';

export interface DenialMemoryOptions {
  /**
   * Maximum age of a remembered denial, in milliseconds. It is also the maximum delay until this
   * instance notices a refund by another instance. 0 disables the memory. @default 500
   */
  maxAgeMs?: number;
  /** Maximum size of the memory, in estimated bytes of the heap. @default 4194304 */
  maxBytes?: number;
}

export const DENIAL_MEMORY = {
  maxAgeMs: defineNumber({ least: 0, most: 60_000, default: 500, unit: 'milliseconds' }),
  maxBytes: defineNumber({ least: 0, default: 4 * 2 ** 20, unit: 'bytes' }),
};

export const denialMemoryOption = optionsOrFalse<DenialMemoryOptions>(DENIAL_MEMORY);
