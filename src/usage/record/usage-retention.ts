/** For how many days each kind is kept; what is older goes a whole day, or a whole month, at a time. */
export interface UsageRetention {
  /** Usage by minute. @default 3 */
  minutesDays?: number;
  /** Usage by hour. @default 35 */
  hoursDays?: number;
  /** Usage by day. @default 400 */
  daysDays?: number;
  /** Denials and the other events. @default 30 */
  eventsDays?: number;
  /** Logged decisions. @default 1 */
  decisionsDays?: number;
}

export const DEFAULT_RETENTION = {
  minutesDays: 3,
  hoursDays: 35,
  daysDays: 400,
  eventsDays: 30,
  decisionsDays: 1,
} as const satisfies Required<UsageRetention>;
