/**
 * Retention of each kind of usage, in days. Old usage is dropped one day or one month at a time.
 */
export interface UsageRetention {
  /** Days that usage by minute is kept. @default 3 */
  minutesDays?: number;
  /** Days that usage by hour is kept. @default 35 */
  hoursDays?: number;
  /** Days that usage by day is kept. @default 400 */
  daysDays?: number;
  /** Days that denials and other events are kept. @default 30 */
  eventsDays?: number;
  /** Days that logged decisions are kept. @default 1 */
  decisionsDays?: number;
}

export const DEFAULT_RETENTION = {
  minutesDays: 3,
  hoursDays: 35,
  daysDays: 400,
  eventsDays: 30,
  decisionsDays: 1,
} as const satisfies Required<UsageRetention>;
