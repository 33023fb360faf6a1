import { defineNumber } from '../options/define-number.js';

export const identifyTimeoutOption = defineNumber({ least: 1, default: 10_000, unit: 'milliseconds' });
