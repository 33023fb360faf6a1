import type { Clock } from '../../runtime/clock.js';
import { createLines } from './create-lines.js';
import type { ScriptRunner } from './create-script-runner.js';
import type { Line } from './deadlines.js';
import { hashTag } from './keys-for.js';
import { slotOf } from './slot-of.js';

/**
 * Decides which charges can share a call. On a Redis Cluster, charges share a call if one node
 * serves their keys. If Redis rejects such calls, charges share a call only if their keys are in
 * one hash slot.
 */
export interface Routes {
  /** Returns the place of a key. Keys of the same place can share one call. */
  placeOf(key: string): string;
  /** Returns the place of a key if each hash slot is a place of its own. */
  slotPlaceOf(key: string): string;
  /** Returns the connection over which a call for this key is sent. */
  lineTo(key: string): Line;
  /** Records a call and its reply. */
  track<T>(line: Line, call: Promise<T>): Promise<T>;
  /**
   * Makes each hash slot a place of its own for a while. Called after Redis rejected a call because
   * the node no longer serves all hash slots of the call.
   */
  sendSlotBySlot(): void;
  /** Returns the nodes whose last call failed, or has had no reply for `silentMs`. */
  failing(silentMs: number): string[];
  /**
   * Time of the last reply of any node, except errors, in monotonic milliseconds; -Infinity before
   * the first.
   */
  repliedAtMs(): number;
}

/**
 * Time for which each call has keys of only one hash slot, in milliseconds, after Redis rejected a
 * call with keys of several. Either hash slots are moving, or the server rejects the cross-slot
 * flag.
 */
const SLOT_BY_SLOT_MS = 1000;

const NEVER = Number.NEGATIVE_INFINITY;

export function createRoutes(runner: ScriptRunner, clock: Clock): Routes {
  const lines = createLines(clock);
  // Cache of the last key: most often its place is requested, and right after that its line.
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
    repliedAtMs: () => lines.repliedAtMs(),
  };
}

/**
 * Returns whether all keys have the same hash tag and so are in one hash slot. A script without the
 * cross-slot flag can then be used.
 */
export function isOneSlot(keys: readonly string[]): boolean {
  const tag = hashTag(keys[0]!);
  return keys.every((key) => hashTag(key) === tag);
}

const HASH_SLOT_ERRORS = /^ELSEWHERE|^CROSSSLOT|attempted to access|nexpected flag/;

/**
 * Returns whether Redis rejected the call, before it executed anything, because of the hash slots
 * of its keys.
 */
export function isHashSlotError(error: unknown): boolean {
  return error instanceof Error && HASH_SLOT_ERRORS.test(error.message);
}
