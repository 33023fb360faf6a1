import type { Clock } from '../../runtime/clock.js';
import { createLines } from './create-lines.js';
import type { ScriptRunner } from './create-script-runner.js';
import type { Line } from './deadlines.js';
import { hashTag } from './keys-for.js';
import { slotOf } from './slot-of.js';

/** Which calls can go together: on a Redis Cluster what one node serves, and where that is refused, what is in one slot. */
export interface Routes {
  /** Calls for keys of the same place can be one call. */
  placeOf(key: string): string;
  /** The same, slot by slot. */
  slotPlaceOf(key: string): string;
  /** The connection over which a call for this key goes. */
  lineTo(key: string): Line;
  /** Notes a call and its reply. */
  track<T>(line: Line, call: Promise<T>): Promise<T>;
  /** A call was refused because its slots are not all there any more; for a while each goes by itself. */
  sendSlotBySlot(): void;
  /** The nodes whose last call failed, or has been without a reply for that long. */
  failing(silentMs: number): string[];
  /** Monotonic milliseconds: the last reply of any node; -Infinity before the first. */
  readonly repliedAtMs: number;
}

/** While slots move, or where a server knows no script that reads several. */
const SLOT_BY_SLOT_MS = 1000;

const NEVER = Number.NEGATIVE_INFINITY;

export function createRoutes(runner: ScriptRunner, clock: Clock): Routes {
  const lines = createLines(clock);
  // What is asked for a key most often is its place, and its line right after.
  let lastKey: string | undefined;
  let lastSlot = 0;
  let slotBySlotUntilMs = runner.takesKeysAsTheyAre ? NEVER : Number.POSITIVE_INFINITY;

  function nodeFor(key: string): string {
    if (key !== lastKey) {
      lastSlot = slotOf(hashTag(key));
      lastKey = key;
    }
    return runner.nodeOf(lastSlot);
  }

  return {
    placeOf(key) {
      if (!runner.isCluster) return '';
      if (slotBySlotUntilMs !== NEVER && slotBySlotUntilMs > clock()) return hashTag(key);
      return nodeFor(key) || hashTag(key);
    },
    slotPlaceOf: (key) => (runner.isCluster ? hashTag(key) : ''),
    lineTo: (key) => lines.to(runner.isCluster ? nodeFor(key) : ''),
    track: lines.track,
    failing: lines.failing,
    sendSlotBySlot() {
      slotBySlotUntilMs = Math.max(slotBySlotUntilMs, clock() + SLOT_BY_SLOT_MS);
    },
    get repliedAtMs() {
      return lines.repliedAtMs;
    },
  };
}

/** Whether one call can be made for limits of these keys by a script that sees one slot. */
export function isOneSlot(keys: readonly string[]): boolean {
  const tag = hashTag(keys[0]!);
  return keys.every((key) => hashTag(key) === tag);
}

const REFUSALS = /^ELSEWHERE|^CROSSSLOT|attempted to access|nexpected flag/;

/** The call was refused, before it did anything, because of the slots of its keys. */
export function isRefusedForSlots(error: unknown): boolean {
  return error instanceof Error && REFUSALS.test(error.message);
}
