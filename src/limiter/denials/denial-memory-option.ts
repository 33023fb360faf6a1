import type { OptionTable } from '../../options/check-options.js';
import { optionsOrFalse, wholeNumber } from '../../options/option-kinds.js';
import type { DenialMemoryOptions } from './denial-memory.js';

const TABLE: OptionTable<DenialMemoryOptions> = { maxAgeMs: wholeNumber(0, 60_000), maxBytes: wholeNumber(0) };

export const denialMemoryOption = optionsOrFalse(TABLE);
