import type { Limit } from '../algorithms/limit-algorithm.js';
import { type ChargeRecord, type CheckedRequest, changes, stampMsOf } from '../charge/checked-request.js';
import type { KeyOf } from './keys-for.js';
import { ACTION } from './layout.js';
import { type Group, RequestKeys, type UsedKey } from './request-keys.js';
import { type ChargeItem, type ScriptCall, type SettlementItem, type Uses, writeCall } from './write-call.js';

/** Limits of the first charge of a call. Most other charges of the call have the same ones. */
interface Alike {
  readonly limits: readonly Limit[];
  /**
   * For each key, the index of the first limit under it. `groups` holds the limits under each key.
   */
  readonly firsts: number[];
  readonly groups: Group[];
  /** For each limit, the index of its key. */
  readonly keyIndexes: number[];
}

/**
 * Returns undefined if settlements have added other limits under the keys of the charge. Under the
 * keys of another caller, these limits could exclude limits of that caller.
 */
function alikeOf(limits: readonly Limit[], { keys }: Uses): Alike | undefined {
  const firsts: number[] = [];
  const groups: Group[] = [];
  const keyIndexes: number[] = [];
  let inGroups = 0;
  for (let i = 0; i < limits.length; i++) {
    const first = keys.indexOf(keys[i]!);
    if (first === i) {
      const { group } = keys[i]!;
      firsts.push(i);
      groups.push(group);
      inGroups += group.limits.length;
    }
    keyIndexes.push(first === i ? firsts.length - 1 : keyIndexes[first]!);
  }
  return inGroups === limits.length ? { limits, firsts, groups, keyIndexes } : undefined;
}

/** Placeholder of an unused charge id. */
const NO_CHARGE = '\0'.repeat(6);

/**
 * Collects the content of one call. Keys, groups and definitions are sent once each and then
 * referred to by number. The `add` methods return false, and add nothing, if a counter is already
 * used here with other parameters or a partition would get too many limits. The item must then be
 * added to the next call.
 */
export class RequestWriter {
  readonly #keys = new RequestKeys();
  readonly #charges: ChargeItem[] = [];
  readonly #settlements: SettlementItem[] = [];
  readonly #uses: Uses = { keys: [], places: [] };
  readonly #found: UsedKey[] = [];
  #alike: Alike | undefined;

  /** Returns the number of charges, or of limits that are settled or reset, so far. */
  count(): number {
    return this.#charges.length + this.#settlements.length;
  }

  addCharge({ limits, costs }: CheckedRequest, chargeId: string, pendingMs: number, keyOf: KeyOf): boolean {
    const keys = this.#keys;
    const uses = this.#uses;
    const firstUse = uses.keys.length;
    if (limits !== this.#alike?.limits || !this.#placeAlike(this.#alike, keyOf)) {
      for (let i = 0; i < limits.length; i++) {
        const key = keys.open(keyOf(limits[i]!));
        const place = keys.placeIn(key, limits[i]!);
        if (place === undefined) {
          uses.keys.length = firstUse;
          uses.places.length = firstUse;
          return false;
        }
        uses.keys.push(key);
        uses.places.push(place);
      }
      if (firstUse === 0) this.#alike = alikeOf(limits, uses);
    }
    this.#charges.push({ chargeId, pendingMs, costs, firstUse });
    return true;
  }

  addCorrection(charge: ChargeRecord, actual: Readonly<Record<string, number>>, keyOf: KeyOf): boolean {
    const { request } = charge;
    const actualOf = (i: number) => (changes(request, i, actual) ? actual[request.limits[i]!.id] : undefined);
    return this.#addSettlements(charge, ACTION.CORRECT, actualOf, keyOf);
  }

  /**
   * @param pendingMs for a repeated confirmation, how long the charge may stay pending; after that,
   * it may have been refunded, and Redis charges it again
   */
  addEnd(charge: ChargeRecord, action: number, keyOf: KeyOf, pendingMs = 0): boolean {
    return this.#addSettlements(charge, action, (i) => (charge.request.costs[i]! > 0 ? pendingMs : undefined), keyOf);
  }

  addReset(request: CheckedRequest, keyOf: KeyOf): boolean {
    const ofNoCharge = { request, chargeId: NO_CHARGE, time: { clock: 0, now: 0 }, times: undefined };
    return this.#addSettlements(ofNoCharge, ACTION.RESET, () => 0, keyOf);
  }

  /** @param timeMs estimated time of Redis, around which the periods of calendar windows are sent */
  finish(timeMs: number = Date.now()): ScriptCall {
    return writeCall(this.#keys, this.#charges, this.#uses, this.#settlements, timeMs);
  }

  /**
   * Places a charge with the same limits as the first one by looking up its keys, not each limit.
   * Returns false if the charge has to be placed limit by limit.
   */
  #placeAlike({ limits, firsts, groups, keyIndexes }: Alike, keyOf: KeyOf): boolean {
    const found = this.#found;
    for (let k = 0; k < firsts.length; k++) {
      const used = this.#keys.open(keyOf(limits[firsts[k]!]!), groups[k]!);
      if (used.group !== groups[k]) return false;
      found[k] = used;
    }
    const { keys, places } = this.#uses;
    for (let i = 0; i < limits.length; i++) {
      keys.push(found[keyIndexes[i]!]!);
      places.push(places[i]!);
    }
    return true;
  }

  #addSettlements(
    charge: ChargeRecord,
    action: number,
    actualOf: (index: number) => number | undefined,
    keyOf: KeyOf,
  ): boolean {
    const { chargeId } = charge;
    const { limits, costs } = charge.request;
    const added: SettlementItem[] = [];
    const keys = limits.map((limit) => keyOf(limit));
    const actuals = limits.map((_, i) => actualOf(i));
    for (let i = 0; i < limits.length; i++) {
      const actual = actuals[i];
      // The script is fastest if it gets all limits of a partition in the order of the charge.
      if (actual === undefined && !keys.some((key, j) => key === keys[i] && actuals[j] !== undefined)) continue;
      const key = this.#keys.open(keys[i]!);
      const place = this.#keys.placeIn(key, limits[i]!);
      if (place === undefined) return false;
      if (actual === undefined) continue;
      added.push({ chargeId, action, charged: costs[i]!, actual, stampMs: stampMsOf(charge, i), use: { key, place } });
    }
    for (const item of added) this.#settlements.push(item);
    return true;
  }
}
