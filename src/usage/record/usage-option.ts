import type { OptionTable } from '../../options/find-mistakes.js';
import { flag, numberFrom, optionsOf, optionsOrFalse, wholeNumber } from '../../options/option-kinds.js';
import type { UsageOptions } from './start-usage.js';
import type { UsageRetention } from './usage-retention.js';

const MAX_DAYS = 3650;
const days = wholeNumber(1, MAX_DAYS);

/** Options of the retention. The settings of the platform use the same table. */
export const RETENTION: OptionTable<UsageRetention> = {
  minutesDays: days,
  hoursDays: days,
  daysDays: days,
  eventsDays: days,
  decisionsDays: days,
};

const TABLE: OptionTable<UsageOptions> = {
  flushMs: wholeNumber(1),
  maxEvents: wholeNumber(0),
  maxDecisions: wholeNumber(0),
  eventsPerSecond: numberFrom(0),
  callerEventsPerMinute: wholeNumber(0),
  decisionsPerSecond: numberFrom(0),
  maxOperationNames: wholeNumber(0),
  newOperationNamesPerHour: wholeNumber(0),
  maxAddresses: wholeNumber(0),
  maxEntries: wholeNumber(0),
  minCallerOperations: wholeNumber(1),
  keepDeniedDocuments: flag,
  closeTimeoutMs: wholeNumber(0),
  retention: optionsOf(RETENTION),
};

/** Option for the recording of usage. False disables it. */
export const usageOption = optionsOrFalse(TABLE);
