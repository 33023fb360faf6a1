import { MAX_LIMITS } from '../../model/limit.js';
import type { Limit } from '../algorithms/algorithm.js';
import { type ChargeRecord, type CheckedRequest, changes, stampMsOf } from '../charge/charge-request.js';
import type { KeyOf } from './keys.js';
import {
  ACTION,
  CHARGE_COUNT,
  CHARGE_ID,
  CHARGE_PENDING,
  CHARGED_LIMIT,
  DEFINITION,
  SETTLEMENT,
  writeBytes,
  writerOf,
} from './layout.js';

// Requests of the scripts, as lua/*.lua say at their tops, and their replies. What they look like in bytes is in layout.ts.

const CHARGE_BYTES = CHARGE_COUNT.bytes + CHARGE_PENDING.bytes + CHARGE_ID.bytes;
const writeDefinition = writerOf(DEFINITION);
const writeSettlement = writerOf(SETTLEMENT);

/** Limits in the order in which one partition is asked for them: the same sequence is the same object. */
interface Group {
  readonly limits: readonly Limit[];
  readonly longer: Map<Limit, Group>;
  /** From 1, once it is sent. */
  number: number;
}

interface UsedKey {
  readonly key: string;
  group: Group;
  firstCounter: number;
}

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

/** One correction: where it goes, until all keys are known and counters get their numbers. */
interface Use {
  readonly key: UsedKey;
  readonly place: number;
}

/** Where an unused charge id stands. */
const NO_CHARGE = '\0'.repeat(6);

/**
 * Collects what goes into one call. Keys, groups and definitions are sent once each and then named by number. What is
 * added comes back as false, without being added, when a counter is already in use here with other parameters, or a
 * partition under too many limits: the next call is for it.
 */
export interface RequestWriter {
  addCharge(request: CheckedRequest, chargeId: string, pendingMs: number, keyOf: KeyOf): boolean;
  addCorrection(charge: ChargeRecord, actual: Readonly<Record<string, number>>, keyOf: KeyOf): boolean;
  /** @param pendingMs for how long it was pending, which tells a repeated confirmation from one that comes too late */
  addEnd(charge: ChargeRecord, action: number, keyOf: KeyOf, pendingMs?: number): boolean;
  addReset(request: CheckedRequest, keyOf: KeyOf): boolean;
  /**
   * Charges, or limits that are settled or emptied, so far. No getter: an object whose literal has one survives every
   * collection of young objects (V8 11.3), and all that it holds; that took a third of this process' time of a decision.
   */
  count(): number;
  finish(): ScriptCall;
}

/** The KEYS and ARGV[1] of a call. */
export interface ScriptCall {
  readonly keys: string[];
  readonly request: Buffer;
}

interface ChargeItem {
  readonly chargeId: string;
  readonly pendingMs: number;
  readonly costs: readonly number[];
  /** Behind it in the arrays of all uses there are as many as it has costs. */
  readonly firstUse: number;
}

/** Of charges: an object for each limit of each would be as much garbage as all else of a decision. */
interface Uses {
  readonly keys: UsedKey[];
  readonly places: number[];
}

interface SettlementItem {
  readonly chargeId: string;
  readonly action: number;
  readonly charged: number;
  readonly actual: number;
  readonly stampMs: number;
  readonly use: Use;
}

/** What a script has replied: what all of them say, and a place to read the rest from. */
export interface ScriptReply {
  readonly clock: number;
  readonly now: number;
  readonly repaired: number;
  readonly rebased: number;
  /** The next so many numbers. */
  read(count: number): number[];
}

/** Reads doubles, one after the other. */
export function readReply(bytes: Buffer): ScriptReply {
  // A view reads them in a tenth of the time of a buffer, which puts each together from its bytes.
  const doubles = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  function next(): number {
    const number = doubles.getFloat64(at, true);
    at += 8;
    return number;
  }
  return {
    clock: next(),
    now: next(),
    repaired: next(),
    rebased: next(),
    read(count) {
      const numbers = new Array<number>(count);
      for (let i = 0; i < count; i++) numbers[i] = next();
      return numbers;
    },
  };
}

export function createRequestWriter(): RequestWriter {
  const root: Group = { limits: [], longer: new Map(), number: 0 };
  const usedKeys = new Map<string, UsedKey>();
  const definitions = new Map<Limit, number>();
  const charges: ChargeItem[] = [];
  const settlements: SettlementItem[] = [];
  const uses: Uses = { keys: [], places: [] };
  let alike: Alike | undefined;
  const found: UsedKey[] = [];

  /**
   * The place of `limit` among those of its key; undefined when another variant of the same counter has one, and when the
   * key has as many as a partition has counters.
   */
  function placeIn(used: UsedKey, limit: Limit): number | undefined {
    const { limits, longer } = used.group;
    for (let place = 0; place < limits.length; place++) {
      const other = limits[place]!;
      if (other === limit) return place;
      if (other.identity.recordId === limit.identity.recordId) return undefined;
    }
    if (limits.length >= MAX_LIMITS) return undefined;
    let next = longer.get(limit);
    if (next === undefined) {
      next = { limits: [...limits, limit], longer: new Map(), number: 0 };
      longer.set(limit, next);
      if (!definitions.has(limit)) definitions.set(limit, definitions.size + 1);
    }
    used.group = next;
    return limits.length;
  }

  function usedKey(key: string): UsedKey {
    let used = usedKeys.get(key);
    if (used === undefined) {
      used = { key, group: root, firstCounter: 0 };
      usedKeys.set(key, used);
    }
    return used;
  }

  /** A charge of the same limits as the first one: its keys are looked up, and not each of its limits. False: it is as any other. */
  function placeAlike({ limits, firsts, groups, keyIndexes }: Alike, keyOf: KeyOf): boolean {
    for (let k = 0; k < firsts.length; k++) {
      const key = keyOf(limits[firsts[k]!]!);
      let used = usedKeys.get(key);
      if (used === undefined) {
        used = { key, group: groups[k]!, firstCounter: 0 };
        usedKeys.set(key, used);
      } else if (used.group !== groups[k]) return false;
      found[k] = used;
    }
    for (let i = 0; i < limits.length; i++) {
      uses.keys.push(found[keyIndexes[i]!]!);
      uses.places.push(uses.places[i]!);
    }
    return true;
  }

  function addSettlements(
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
      const key = usedKey(keyOf(limits[i]!));
      const place = placeIn(key, limits[i]!);
      if (place === undefined) return false;
      added.push({ chargeId, action, charged: costs[i]!, actual, stampMs: stampMsOf(charge, i), use: { key, place } });
    }
    for (const item of added) settlements.push(item);
    return true;
  }

  return {
    count() {
      return charges.length + settlements.length;
    },

    addCharge({ limits, costs }, chargeId, pendingMs, keyOf) {
      const firstUse = uses.keys.length;
      const isFirst = definitions.size === 0;
      if (limits !== alike?.limits || !placeAlike(alike, keyOf)) {
        for (let i = 0; i < limits.length; i++) {
          const key = usedKey(keyOf(limits[i]!));
          const place = placeIn(key, limits[i]!);
          if (place === undefined) {
            uses.keys.length = firstUse;
            uses.places.length = firstUse;
            return false;
          }
          uses.keys.push(key);
          uses.places.push(place);
        }
        if (isFirst) alike = alikeOf(limits, uses);
      }
      charges.push({ chargeId, pendingMs, costs, firstUse });
      return true;
    },

    addCorrection(charge, actual, keyOf) {
      const actualOf = (i: number) =>
        changes(charge.request, i, actual) ? actual[charge.request.limits[i]!.id] : undefined;
      return addSettlements(charge, ACTION.CORRECT, actualOf, keyOf);
    },

    addEnd(charge, action, keyOf, pendingMs = 0) {
      return addSettlements(charge, action, (i) => (charge.request.costs[i]! > 0 ? pendingMs : undefined), keyOf);
    },

    addReset(request, keyOf) {
      const ofNoCharge = { request, chargeId: NO_CHARGE, time: { clock: 0, now: 0 }, times: undefined };
      return addSettlements(ofNoCharge, ACTION.RESET, () => 0, keyOf);
    },

    finish() {
      const keys = [...usedKeys.values()];
      const groups: Group[] = [];
      let counters = 1;
      let groupBytes = 0;
      for (const used of keys) {
        const { group } = used;
        used.firstCounter = counters;
        counters += group.limits.length;
        if (group.number > 0) continue;
        group.number = groups.push(group);
        groupBytes += 1 + 2 * group.limits.length;
      }
      const chargedLimits = uses.keys.length;
      const chargeBytes = 4 + charges.length * CHARGE_BYTES + chargedLimits * CHARGED_LIMIT.bytes;
      const itemBytes = settlements.length > 0 ? 2 + settlements.length * SETTLEMENT.bytes : chargeBytes;
      const size = 2 + definitions.size * DEFINITION.bytes + 2 + groupBytes + 2 * keys.length + itemBytes;
      const request = Buffer.allocUnsafe(size);
      let at = request.writeUInt16LE(definitions.size, 0);
      if (definitions.size === alike?.limits.length) at += definitionsOf(alike.limits).copy(request, at);
      else for (const limit of definitions.keys()) at = writeDefinition(request, at, definitionOf(limit));
      at = request.writeUInt16LE(groups.length, at);
      for (const { limits } of groups) {
        at = request.writeUInt8(limits.length, at);
        for (const limit of limits) at = request.writeUInt16LE(definitions.get(limit)!, at);
      }
      for (const { group } of keys) at = request.writeUInt16LE(group.number, at);
      if (settlements.length > 0) {
        at = request.writeUInt16LE(settlements.length, at);
        for (const { action, use, charged, actual, stampMs, chargeId } of settlements) {
          const counter = use.key.firstCounter + use.place;
          at = writeSettlement(request, at, { action, counter, charged, actual, stamp: stampMs, chargeId });
        }
      } else {
        at = request.writeUInt16LE(charges.length, at);
        at = request.writeUInt16LE(chargedLimits, at);
        writeCharges(request, at, charges, uses);
      }
      return { keys: keys.map(({ key }) => key), request };
    },
  };
}

/** Sets of limits that were defined last, each with its definitions one after the other: one call often has those of another. */
const defined: { readonly limits: readonly Limit[]; readonly bytes: Buffer }[] = [];
const MAX_DEFINED = 16;
let nextDefined = 0;

function definitionsOf(limits: readonly Limit[]): Buffer {
  // Not by the set itself: a part of one, as on a Cluster, is made anew for each charge.
  for (const known of defined) if (isSameSet(known.limits, limits)) return known.bytes;
  const bytes = Buffer.alloc(limits.length * DEFINITION.bytes);
  let at = 0;
  for (const limit of limits) at = writeDefinition(bytes, at, definitionOf(limit));
  defined[nextDefined] = { limits, bytes };
  nextDefined = (nextDefined + 1) % MAX_DEFINED;
  return bytes;
}

function isSameSet(a: readonly Limit[], b: readonly Limit[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function definitionOf(limit: Limit) {
  return {
    shape: limit.shape,
    leaky: Number(limit.leaky),
    leases: Number(limit.leases),
    shadow: Number(limit.shadow),
    countDenied: Number(limit.countDenied),
    id: limit.identity.recordId,
    capacity: limit.capacity,
    first: limit.windowMs || limit.refillAmount,
    second: limit.refillPeriodMs,
    maxDebt: limit.maxDebt,
    maxDelayMs: limit.maxDelayMs,
  };
}

/** What charges have of a kind stands together: the script reads all of it with one call. */
function writeCharges(buffer: Buffer, at: number, charges: readonly ChargeItem[], { keys, places }: Uses): void {
  for (const { costs } of charges) buffer[at++] = costs.length;
  for (const { pendingMs } of charges) at = buffer.writeUInt32LE(pendingMs, at);
  for (const { firstUse, costs } of charges) {
    for (let i = 0; i < costs.length; i++) {
      at = buffer.writeUInt16LE(keys[firstUse + i]!.firstCounter + places[firstUse + i]!, at);
      at = buffer.writeUInt32LE(costs[i]!, at);
    }
  }
  for (const { chargeId } of charges) {
    writeBytes(buffer, at, chargeId);
    at += CHARGE_ID.bytes;
  }
}
