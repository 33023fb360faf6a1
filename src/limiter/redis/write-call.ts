import type { Limit } from '../algorithms/limit-algorithm.js';
import type { LimitCalendar } from '../algorithms/limit-calendar.js';
import {
  CHARGE_COUNT,
  CHARGE_ID,
  CHARGE_PENDING,
  CHARGED_LIMIT,
  DEFINITION,
  SETTLEMENT,
  writeBytes,
  writerOf,
} from './layout.js';
import { definitionsIn, type Group, type RequestKeys, type UsedKey } from './request-keys.js';

// Requests of the scripts, as the heads of lua/*.lua describe them. layout.ts defines the bytes.

const CHARGE_BYTES = CHARGE_COUNT.bytes + CHARGE_PENDING.bytes + CHARGE_ID.bytes;
const writeDefinition = writerOf(DEFINITION);
const writeSettlement = writerOf(SETTLEMENT);

/**
 * Counter of a settlement, as a place under a key. Counters get their numbers once all keys are
 * known.
 */
interface Use {
  readonly key: UsedKey;
  readonly place: number;
}

/** KEYS and ARGV[1] of a call. */
export interface ScriptCall {
  readonly keys: string[];
  readonly request: Buffer;
  /** Limits whose definitions the request contains. */
  readonly defined: readonly Limit[];
}

export interface ChargeItem {
  readonly chargeId: string;
  readonly pendingMs: number;
  readonly costs: readonly number[];
  /** Index of the first entry of this charge in `Uses`, which has one entry for each cost. */
  readonly firstUse: number;
}

/**
 * Keys and places of the limits of all charges. One object per limit of each charge would be as
 * much garbage as the rest of a decision.
 */
export interface Uses {
  readonly keys: UsedKey[];
  readonly places: number[];
}

export interface SettlementItem {
  readonly chargeId: string;
  readonly action: number;
  readonly charged: number;
  readonly actual: number;
  readonly stampMs: number;
  readonly use: Use;
}

/**
 * Writes the keys and the request of a call. `timeMs` is the estimated time of Redis: calendar
 * windows are sent with the periods around it.
 */
export function writeCall(
  { used, definitions, definitionCount }: RequestKeys,
  charges: readonly ChargeItem[],
  uses: Uses,
  settlements: readonly SettlementItem[],
  timeMs: number,
): ScriptCall {
  const keys = [...used.values()];
  const { groups, groupBytes } = numberGroups(keys);
  const chargedLimits = uses.keys.length;
  const chargeBytes = charges.length * CHARGE_BYTES + chargedLimits * CHARGED_LIMIT.bytes;
  const itemBytes = 6 + settlements.length * SETTLEMENT.bytes + chargeBytes;
  const size = 2 + definitionCount * DEFINITION.bytes + 2 + groupBytes + 2 * keys.length + itemBytes;
  const request = Buffer.allocUnsafe(size);
  const defined = [...definitions.keys()];
  let at = request.writeUInt16LE(definitionCount, 0);
  at += definitionsOf(defined, timeMs).copy(request, at);
  at = request.writeUInt16LE(groups.length, at);
  for (const { limits } of groups) {
    at = request.writeUInt8(limits.length, at);
    for (const limit of limits) at = request.writeUInt16LE(definitions.get(limit)!, at);
  }
  for (const { group } of keys) at = request.writeUInt16LE(group.number, at);
  at = request.writeUInt16LE(charges.length, at);
  at = request.writeUInt16LE(chargedLimits, at);
  at = request.writeUInt16LE(settlements.length, at);
  at = writeSettlements(request, at, settlements);
  writeCharges(request, at, charges, uses);
  return { keys: keys.map(({ key }) => key), request, defined };
}

/** Replaces the periods in a request by those around another time. */
export function movePeriods({ request, defined }: ScriptCall, timeMs: number): void {
  definitionsOf(defined, timeMs).copy(request, 2);
}

/** Numbers the groups and the counters of all keys. */
function numberGroups(keys: readonly UsedKey[]): { groups: Group[]; groupBytes: number } {
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
  return { groups, groupBytes };
}

/** Definitions of a set of limits. They are valid while the periods of all limits last. */
interface DefinedSet {
  readonly limits: readonly Limit[];
  readonly bytes: Buffer;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Definitions of the sets of limits written last. Successive calls often have the same set. */
const definedSets: DefinedSet[] = [];
const MAX_DEFINED = 16;
let nextDefined = 0;

function definitionsOf(limits: readonly Limit[], timeMs: number): Buffer {
  // Compared limit by limit, not by the array: on a Cluster, each charge creates the array of a
  // part again.
  for (const known of definedSets) {
    if (timeMs >= known.fromMs && timeMs < known.untilMs && isSameSet(known.limits, limits)) return known.bytes;
  }
  const bytes = Buffer.alloc(limits.reduce((sum, limit) => sum + definitionsIn(limit), 0) * DEFINITION.bytes);
  let at = 0;
  let fromMs = Number.NEGATIVE_INFINITY;
  let untilMs = Number.POSITIVE_INFINITY;
  for (const limit of limits) {
    if (limit.calendar === undefined) {
      at = writeDefinition(bytes, at, definitionOf(limit));
      continue;
    }
    const { startMs, endMs } = limit.calendar.windowAt(timeMs);
    fromMs = Math.max(fromMs, startMs);
    untilMs = Math.min(untilMs, endMs);
    at = writeDefinition(bytes, at, periodsOf(limit, limit.calendar, timeMs));
    if (definitionsIn(limit) > 1) at = writeDefinition(bytes, at, carryOf(limit, limit.calendar));
  }
  definedSets[nextDefined] = { limits, bytes, fromMs, untilMs };
  nextDefined = (nextDefined + 1) % MAX_DEFINED;
  return bytes;
}

/**
 * Returns the definition of a calendar window. It contains three periods: the one that contains the
 * time, and its neighbors.
 */
function periodsOf(limit: Limit, calendar: LimitCalendar, timeMs: number) {
  const current = calendar.windowAt(timeMs);
  const before = calendar.windowAt(current.startMs - 1);
  const after = calendar.windowAt(current.endMs);
  return {
    ...definitionOf(limit),
    hasSlots: definitionsIn(limit) - 1,
    first: before.endMs - before.startMs,
    second: current.endMs - current.startMs,
    maxDebt: before.startMs,
    maxDelayMs: after.endMs - after.startMs,
  };
}

/** Returns the second definition of a calendar window that carries unused amounts over. */
function carryOf(limit: Limit, { amount, percent, maxCarry, keptMs }: LimitCalendar) {
  return { ...definitionOf(limit), capacity: amount, first: percent, maxDebt: maxCarry, maxDelayMs: keptMs };
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
    hasSlots: Number(limit.hasSlots),
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

/** Writes the charges grouped by kind of field: the script reads each group with one call. */
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

function writeSettlements(buffer: Buffer, from: number, settlements: readonly SettlementItem[]): number {
  let at = from;
  for (const { action, use, charged, actual, stampMs, chargeId } of settlements) {
    const counter = use.key.firstCounter + use.place;
    at = writeSettlement(buffer, at, { action, counter, charged, actual, stamp: stampMs, chargeId });
  }
  return at;
}
