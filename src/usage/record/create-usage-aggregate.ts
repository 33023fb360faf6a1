import { principalOf } from '../../model/subject.js';
import type { RecordedLimit, RecordedSubject, UsageRecord } from '../../model/usage-record.js';
import { endOf, isAnotherWindow } from './another-window.js';
import { createFieldAggregate, type FieldAggregate, type FieldEntry } from './create-field-aggregate.js';
import { createNewNames } from './create-new-names.js';
import { keptName, MAX_NAME_BYTES } from './stored-text.js';
import type { UsageCounts, UsageOperationType, UsageSubjectKind } from './tables.js';

/** Counts of one minute, one caller, one operation and one tier. */
export interface UsageEntry extends UsageCounts {
  minuteMs: number;
  subject: UsageSubject;
  operation: UsageOperation;
  tier: string;
}

/** Who is charged: the user, else the API key, else the address. */
export interface UsageSubject {
  /** '' stands for none. */
  tenant: string;
  kind: UsageSubjectKind;
  name: string;
}

export interface UsageOperation {
  type: UsageOperationType;
  /** '' stands for none. */
  name: string;
}

export interface RuleEntry {
  minuteMs: number;
  rule: string;
  requests: number;
  denied: number;
  shadow_denied: number;
  estimated_cost: number;
  actual_cost: number;
  denied_cost: number;
}

export interface ViolationEntry {
  minuteMs: number;
  rule: string;
  subject: UsageSubject;
  denied: number;
  shadow_denied: number;
  denied_cost: number;
}

export interface UsageTotals {
  /** Operations that these are the counts of. */
  requests: number;
  usage: readonly UsageEntry[];
  fields: readonly FieldEntry[];
  rules: readonly RuleEntry[];
  violations: readonly ViolationEntry[];
}

interface AggregateOptions {
  /** Names of operations told apart in one minute: callers choose them. */
  maxOperationNames: number;
  /** Of them, those that were not told apart of late. */
  newOperationNamesPerHour: number;
  /** Addresses without a user or key told apart in one minute. */
  maxAddresses: number;
  /**
   * Entries held, from which on new callers and operations are not told apart; with twice as many nothing is counted any
   * more. Only a database that is away for long lets them get there.
   */
  maxEntries: number;
}

interface UsageAggregate {
  /** False when there is no room left: the record was not counted. */
  add(record: UsageRecord): boolean;
  /** Entries held now. */
  readonly size: number;
  /** These names of operations are not new. The last of them are kept for longest. */
  knowNames(names: readonly string[]): void;
  /** Hands over what there is, and begins anew. */
  take(): UsageTotals;
}

interface Minute {
  usage: Map<string, UsageEntry>;
  fields: FieldAggregate;
  rules: Map<string, RuleEntry>;
  violations: Map<string, ViolationEntry>;
}

const MINUTE_MS = 60_000;
const OTHER_SUBJECT: UsageSubject = { tenant: '', kind: 'OTHER', name: '' };
const OTHER_OPERATION: UsageOperation = { type: 'OTHER', name: '' };

/**
 * Adds up what operations cost, in memory. What is told apart is bounded: beyond the bounds callers and operations are
 * counted together, so that the sums stay exact whatever callers send, and however long the database is away.
 */
export function createUsageAggregate({
  maxOperationNames,
  maxAddresses,
  maxEntries,
  newOperationNamesPerHour,
}: AggregateOptions): UsageAggregate {
  const newNames = createNewNames({ perHour: newOperationNamesPerHour });
  let minutes = new Map<number, Minute>();
  let size = 0;
  let requests = 0;
  let lastMinuteMs = Number.NaN;
  let last = emptyMinute(lastMinuteMs);
  /** What is told apart in the minute in which operations end now, also when it was handed over in between. */
  let endMinute = Number.NaN;
  let operationNames = new Set<string>();
  let addresses = new Set<string>();

  function beginMinute(record: UsageRecord): void {
    const minute = Math.floor(endOf(record) / MINUTE_MS);
    if (!isAnotherWindow(minute, endMinute)) return;
    endMinute = minute;
    operationNames = new Set();
    addresses = new Set();
  }

  function minuteOf(atMs: number): Minute {
    const minuteMs = atMs - (atMs % MINUTE_MS);
    if (minuteMs === lastMinuteMs) return last;
    let minute = minutes.get(minuteMs);
    if (minute === undefined) {
      minute = emptyMinute(minuteMs);
      minutes.set(minuteMs, minute);
    }
    lastMinuteMs = minuteMs;
    last = minute;
    return minute;
  }

  function operationOf(record: UsageRecord): UsageOperation {
    const { operationType, operationName = '', subject } = record;
    const name = operationName.length > MAX_NAME_BYTES ? keptName(operationName) : operationName;
    const mayBeNew = () =>
      newNames.mayTellApart(
        keptName(name),
        keptName(`${subject.tenant ?? ''}\n${principalOf(subject)}`),
        endOf(record),
      );
    if (!mayTellApart(operationNames, name, maxOperationNames, mayBeNew)) return OTHER_OPERATION;
    return { type: operationType, name };
  }

  function subjectOf({ user, tenant = '', apiKey, ip = '' }: RecordedSubject): UsageSubject {
    if (user !== undefined && user !== '') return { tenant, kind: 'USER', name: user };
    if (apiKey !== undefined && apiKey !== '') return { tenant, kind: 'API_KEY', name: apiKey };
    if (ip === '' || !mayTellApart(addresses, ip, maxAddresses)) return OTHER_SUBJECT;
    return { tenant, kind: 'IP', name: ip };
  }

  function usageEntry(minute: Minute, minuteMs: number, record: UsageRecord): UsageEntry {
    const { tier } = record;
    let subject = subjectOf(record.subject);
    let operation = operationOf(record);
    let key = usageKey(subject, operation, tier);
    let entry = minute.usage.get(key);
    if (entry !== undefined) return entry;
    if (size >= maxEntries) {
      subject = OTHER_SUBJECT;
      operation = OTHER_OPERATION;
      key = usageKey(subject, operation, tier);
      entry = minute.usage.get(key);
      if (entry !== undefined) return entry;
    }
    operation = { ...operation, name: keptName(operation.name) };
    entry = { minuteMs, subject, operation, tier, ...NO_COUNTS };
    minute.usage.set(key, entry);
    size++;
    return entry;
  }

  function addLimits(minute: Minute, entry: UsageEntry, record: UsageRecord): boolean {
    const { limits, denial, deniedBy, estimatedCost } = record;
    let hasShadow = false;
    for (let index = 0; index < limits.length; index++) {
      const limit = limits[index]!;
      const wouldDeny = limit.wouldDeny && denial === undefined;
      hasShadow ||= wouldDeny;
      if (!isFirstOfRule(limits, index)) continue;
      const rule = ruleEntry(minute, entry.minuteMs, limit.rule);
      rule.requests++;
      if (denial === undefined) {
        rule.estimated_cost += limit.charge;
        rule.actual_cost += limit.actual ?? limit.charge;
      } else rule.denied_cost += limit.charge;
      if (denial === undefined && limits.some((other) => other.wouldDeny && other.rule === limit.rule)) {
        rule.shadow_denied++;
        addViolation(minute, entry, limit.rule, 'shadow_denied', estimatedCost);
      }
    }
    if (denial === undefined || deniedBy === undefined) return hasShadow;
    const denier = ruleEntry(minute, entry.minuteMs, deniedBy);
    // A ceiling denies without being among the limits.
    if (!limits.some(({ rule }) => rule === deniedBy)) denier.requests++;
    denier.denied++;
    addViolation(minute, entry, deniedBy, 'denied', estimatedCost);
    return hasShadow;
  }

  function ruleEntry({ rules }: Minute, minuteMs: number, rule: string): RuleEntry {
    let entry = rules.get(rule);
    if (entry === undefined) {
      entry = {
        minuteMs,
        rule,
        requests: 0,
        denied: 0,
        shadow_denied: 0,
        estimated_cost: 0,
        actual_cost: 0,
        denied_cost: 0,
      };
      rules.set(rule, entry);
      size++;
    }
    return entry;
  }

  function addViolation(
    { violations }: Minute,
    { minuteMs, subject: asked }: UsageEntry,
    rule: string,
    count: 'denied' | 'shadow_denied',
    cost: number,
  ): void {
    const key = `${rule}\n${subjectKey(asked)}`;
    let entry = violations.get(key);
    if (entry === undefined) {
      entry = { minuteMs, rule, subject: asked, denied: 0, shadow_denied: 0, denied_cost: 0 };
      violations.set(key, entry);
      size++;
    }
    entry[count]++;
    entry.denied_cost += cost;
  }

  return {
    add(record) {
      if (size >= 2 * maxEntries) return false;
      const { denial, estimatedCost, actualCost = estimatedCost } = record;
      beginMinute(record);
      const minute = minuteOf(record.atMs);
      const entry = usageEntry(minute, lastMinuteMs, record);
      requests++;
      entry.requests++;
      if (record.degraded) entry.degraded++;
      if (addLimits(minute, entry, record)) entry.shadow_denied++;
      if (denial === undefined) {
        entry.estimated_cost += estimatedCost;
        entry.actual_cost += actualCost;
      } else {
        entry.denied++;
        entry.denied_cost += estimatedCost;
      }
      size += minute.fields.add(record);
      return true;
    },

    knowNames: newNames.know,

    take() {
      const all = [...minutes.values()];
      const totals = {
        requests,
        usage: all.flatMap((minute) => [...minute.usage.values()]),
        fields: all.flatMap((minute) => minute.fields.entries()),
        rules: all.flatMap((minute) => [...minute.rules.values()]),
        violations: all.flatMap((minute) => [...minute.violations.values()]),
      };
      minutes = new Map();
      lastMinuteMs = Number.NaN;
      size = 0;
      requests = 0;
      return totals;
    },
    get size() {
      return size;
    },
  };
}

const NO_COUNTS: UsageCounts = {
  requests: 0,
  denied: 0,
  shadow_denied: 0,
  degraded: 0,
  estimated_cost: 0,
  actual_cost: 0,
  denied_cost: 0,
};

function emptyMinute(minuteMs: number): Minute {
  return {
    usage: new Map(),
    fields: createFieldAggregate(minuteMs),
    rules: new Map(),
    violations: new Map(),
  };
}

function mayTellApart(known: Set<string>, name: string, most: number, mayBeNew = () => true): boolean {
  if (name === '' || known.has(name)) return true;
  if (known.size >= most || !mayBeNew()) return false;
  known.add(keptName(name));
  return true;
}

/** No part but the last can hold the separator without the lengths telling. */
function usageKey(subject: UsageSubject, { type, name }: UsageOperation, tier: string): string {
  return `${tier}\n${type}\n${name.length}\n${name}${subjectKey(subject)}`;
}

function subjectKey({ tenant, kind, name }: UsageSubject): string {
  return `${kind}\n${tenant.length}\n${tenant}${name}`;
}

/** A rule with several windows is several limits. */
function isFirstOfRule(limits: readonly RecordedLimit[], index: number): boolean {
  const { rule } = limits[index]!;
  for (let earlier = 0; earlier < index; earlier++) if (limits[earlier]!.rule === rule) return false;
  return true;
}
