import { defineNumber } from '../../options/define-number.js';

export const identityDeadlineOption = defineNumber({ least: 1, default: 1000, unit: 'milliseconds' });
