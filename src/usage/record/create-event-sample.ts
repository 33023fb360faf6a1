import { principalOf } from '../../model/subject.js';
import type { RecordedSubject } from '../../model/usage-record.js';
import type { EventRow } from './usage-levels.js';

interface EventSampleOptions {
  /** Maximum number of events per second for all callers together, averaged over ten seconds. */
  perSecond: number;
  /** Maximum number of events per minute for one caller, rule and kind. */
  ofCallerPerMinute: number;
  /** Returns the time in epoch milliseconds. */
  now(): number;
}

/**
 * Numbers of events that were not kept, because of the limit per caller or of the limit per
 * process.
 */
export interface SuppressedEvents {
  caller: number;
  process: number;
}

export interface EventSample {
  readonly suppressed: Readonly<SuppressedEvents>;
  /** Whether the event is kept as a row. If not, it is counted as suppressed. */
  mayKeep(subject: RecordedSubject, kind: EventRow['kind'], rule: string | undefined): boolean;
}

const WINDOW_MS = 10_000;
const MINUTE_MS = 60_000;
/**
 * Share of the events of all callers that one caller may use, even if many rules deny the caller at
 * the same time.
 */
const SHARE_OF_A_CALLER = 1 / 4;

/**
 * Chooses the events that are kept. A denial costs its caller nothing, so a row for each denial
 * would let anyone fill the database. The totals count all events. The number of kept events also
 * bounds the memory that the sample needs.
 */
export function createEventSample({ perSecond, ofCallerPerMinute, now }: EventSampleOptions): EventSample {
  const mostInWindow = perSecond * (WINDOW_MS / 1000);
  const suppressed = { caller: 0, process: 0 };
  let [window, minute] = [Number.NaN, Number.NaN];
  /** Number of events kept in this window. */
  let kept = 0;
  const keptOfCaller = new Map<string, number>();
  /** Numbers of events of one caller, rule and kind that were kept in this minute. */
  const keptOfSame = new Map<string, number>();

  function forgetThePast(): void {
    const nowMs = now();
    const [thisWindow, thisMinute] = [Math.floor(nowMs / WINDOW_MS), Math.floor(nowMs / MINUTE_MS)];
    if (thisWindow !== window) {
      window = thisWindow;
      kept = 0;
      keptOfCaller.clear();
    }
    if (thisMinute !== minute) {
      minute = thisMinute;
      keptOfSame.clear();
    }
  }

  return {
    suppressed,
    mayKeep(subject, kind, rule = '') {
      forgetThePast();
      const caller = `${subject.tenant ?? ''}\n${principalOf(subject)}`;
      const same = `${kind}\n${rule}\n${caller}`;
      const ofCaller = keptOfCaller.get(caller) ?? 0;
      const ofSame = keptOfSame.get(same) ?? 0;
      if (ofSame >= ofCallerPerMinute || (ofCaller > 0 && ofCaller + 1 > mostInWindow * SHARE_OF_A_CALLER)) {
        suppressed.caller++;
        return false;
      }
      if (kept >= mostInWindow) {
        suppressed.process++;
        return false;
      }
      kept++;
      keptOfCaller.set(caller, ofCaller + 1);
      keptOfSame.set(same, ofSame + 1);
      return true;
    },
  };
}
