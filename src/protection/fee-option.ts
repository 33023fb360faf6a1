import { defineNumber } from '../options/define-number.js';

export const feeOption = defineNumber({ least: 0, most: 1_000_000, default: 1, unit: 'tokens' });
