import type { Limit } from '../algorithms/limit-algorithm.js';
import { type ChargeRecord, type CheckedRequest, changes, stampMsOf } from '../charge/checked-request.js';
import type { KeyOf } from './keys-for.js';
import { ACTION } from './layout.js';
import { type Group, RequestKeys, type UsedKey } from './request-keys.js';
import { type ChargeItem, type ScriptCall, type SettlementItem, type Uses, writeCall } from './write-call.js';

/** The limits of the first charge of a call, which most others have as well. */
interface Alike {
  readonly limits: readonly Limit[];
  /** For each of its keys the first limit that lies under it, and what lies under it in all. */
  readonly firsts: number[];
  readonly groups: Group[];
  /** For each limit which of the keys it lies under. */
  readonly keyIndexes: number[];
}

function alikeOf(limits: readonly Limit[], { keys }: Uses): Alike {
  const firsts: number[] = [];
  const groups: Group[] = [];
  const keyIndexes: number[] = [];
  for (let i = 0; i < limits.length; i++) {
    const first = keys.indexOf(keys[i]!);
    if (first === i) {
      firsts.push(i);
      groups.push(keys[i]!.group);
    }
    keyIndexes.push(first === i ? firsts.length - 1 : keyIndexes[first]!);
  }
  return { limits, firsts, groups, keyIndexes };
}

/** Where an unused charge id stands. */
const NO_CHARGE = '\0'.repeat(6);

/**
 * Collects what goes into one call. Keys, groups and definitions are sent once each and then named by number. What is
 * added comes back as false, without being added, when a counter is already in use here with other parameters, or a
 * partition under too many limits: the next call is for it.
 */
export class RequestWriter {
  readonly #keys = new RequestKeys();
  readonly #charges: ChargeItem[] = [];
  readonly #settlements: SettlementItem[] = [];
  readonly #uses: Uses = { keys: [], places: [] };
  readonly #found: UsedKey[] = [];
  #alike: Alike | undefined;

  /** Charges, or limits that are settled or emptied, so far. */
  count(): number {
    return this.#charges.length + this.#settlements.length;
  }

  addCharge({ limits, costs }: CheckedRequest, chargeId: string, pendingMs: number, keyOf: KeyOf): boolean {
    const keys = this.#keys;
    const uses = this.#uses;
    const firstUse = uses.keys.length;
    const isFirst = keys.definitions.size === 0;
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
      if (isFirst) this.#alike = alikeOf(limits, uses);
    }
    this.#charges.push({ chargeId, pendingMs, costs, firstUse });
    return true;
  }

  addCorrection(charge: ChargeRecord, actual: Readonly<Record<string, number>>, keyOf: KeyOf): boolean {
    const { request } = charge;
    const actualOf = (i: number) => (changes(request, i, actual) ? actual[request.limits[i]!.id] : undefined);
    return this.#addSettlements(charge, ACTION.CORRECT, actualOf, keyOf);
  }

  /** @param pendingMs for how long it was pending, which tells a repeated confirmation from one that comes too late */
  addEnd(charge: ChargeRecord, action: number, keyOf: KeyOf, pendingMs = 0): boolean {
    return this.#addSettlements(charge, action, (i) => (charge.request.costs[i]! > 0 ? pendingMs : undefined), keyOf);
  }

  addReset(request: CheckedRequest, keyOf: KeyOf): boolean {
    const ofNoCharge = { request, chargeId: NO_CHARGE, time: { clock: 0, now: 0 }, times: undefined };
    return this.#addSettlements(ofNoCharge, ACTION.RESET, () => 0, keyOf);
  }

  finish(): ScriptCall {
    return writeCall(this.#keys, this.#charges, this.#uses, this.#settlements, this.#alike?.limits);
  }

  /** A charge of the same limits as the first one: its keys are looked up, and not each of its limits. False: it is as any other. */
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
    for (let i = 0; i < limits.length; i++) {
      const actual = actualOf(i);
      if (actual === undefined) continue;
      const key = this.#keys.open(keyOf(limits[i]!));
      const place = this.#keys.placeIn(key, limits[i]!);
      if (place === undefined) return false;
      added.push({ chargeId, action, charged: costs[i]!, actual, stampMs: stampMsOf(charge, i), use: { key, place } });
    }
    for (const item of added) this.#settlements.push(item);
    return true;
  }
}
