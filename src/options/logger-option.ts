import type { Logger } from '../model/logger.js';
import { objectWith } from './option-kinds.js';

export const loggerOption = objectWith<Logger>(
  "pino's logger, or another with info, warn and error",
  'info',
  'warn',
  'error',
);
