import { defineNumber } from '../options/define-number.js';

export const documentCacheOption = defineNumber({ least: 1, default: 32 * 2 ** 20, unit: 'bytes' });
