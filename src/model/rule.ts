import type {
  BucketParameters,
  CalendarBudget,
  LimitParameters,
  OnUnavailable,
  Precision,
} from './limit-parameters.js';
import type { RegionMode } from './region-mode.js';
import type { CallerKind, CredentialKind, Scope } from './subject.js';

/** Types of rules and tiers, as plain data. Names end with their unit, if they have one. */

/**
 * Amounts of a price. `COST`: tokens. `NODES`: objects. `TYPE_COST` and `FIELD_COST`: the two
 * numbers that the cost-directives draft defines.
 */
export const AMOUNTS = ['COST', 'NODES', 'TYPE_COST', 'FIELD_COST'] as const;
export type Amount = (typeof AMOUNTS)[number];

/**
 * Quantities that a limit counts. `CALLS` is the number of times that matching fields are resolved.
 * `REQUESTS` is one per operation with a match. `SUBSCRIPTIONS` is one per open subscription with a
 * match. `CONNECTIONS` is one per open WebSocket. The others are amounts of the outermost matching
 * fields, with everything below them.
 */
export const MEASURES = [
  'COST',
  'CALLS',
  'REQUESTS',
  'NODES',
  'TYPE_COST',
  'FIELD_COST',
  'SUBSCRIPTIONS',
  'CONNECTIONS',
] as const;
export type Measure = (typeof MEASURES)[number];

/**
 * Levels of detail about cost and limits in a response. `BRIEF`: the cost, the tier's bucket and
 * the limit that is nearest to a denial. `FULL`: all limits. `NONE`: nothing, for callers who must
 * not know the numbers.
 */
export const ANSWERS = ['BRIEF', 'FULL', 'NONE'] as const;
export type AnswerDetail = (typeof ANSWERS)[number];

export type OperationType = 'QUERY' | 'MUTATION' | 'SUBSCRIPTION';

export interface RuleLimit extends LimitParameters {
  /** Key that distinguishes two otherwise equal limits of one rule. */
  key?: string;
  /** Whether denied operations are counted too, for abuse rules. */
  countDenied?: boolean;
  /**
   * Largest debt of a bucket: the number of tokens by which a settlement may reduce it below zero.
   * @default the capacity
   */
  maxDebt?: number;
  /**
   * Slots of subscriptions: whether each WebSocket has a counter of its own. Operations over other
   * transports are not counted then.
   */
  perConnection?: boolean;
}

/** Kinds of documents. `REGISTERED`: an app has published it, as a text or by its id. */
export const DOCUMENT_KINDS = ['REGISTERED', 'UNREGISTERED'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Operations and subjects that a rule applies to. An absent or empty list matches all. */
export interface RuleMatch {
  tiers?: readonly string[];
  operationTypes?: readonly OperationType[];
  operationNames?: readonly string[];
  clients?: readonly string[];
  /** CIDR blocks or single addresses. */
  addresses?: readonly string[];
  callers?: CallerKind;
  credentials?: readonly CredentialKind[];
  /**
   * Ids of users. In this list and the next two, a name with a trailing `*` matches all names that
   * begin with the text before it.
   */
  users?: readonly string[];
  /** Ids of tenants. */
  tenants?: readonly string[];
  /** Prefixes by which API keys are named. */
  keys?: readonly string[];
  /**
   * Whether the rule applies to agents only: callers with a key of the kind `AGENT`, and clients
   * that name themselves as one of `agentClients`.
   */
  agents?: true;
  /** Whether the rule applies to registered documents only, or to all others only. */
  document?: DocumentKind;
  /** Names of apps that have registered the document. A trailing `*` makes a name a prefix. */
  apps?: readonly string[];
  /** Versions of the app that have registered the document. A trailing `*` makes a name a prefix. */
  appVersions?: readonly string[];
}

/**
 * Action on matching operations. `REJECT` denies those that exceed a limit. `THROTTLE` delays them
 * by at most `maxDelayMs` and denies the rest. `EXEMPT` admits all, and no other rule with the same
 * scope, field and measure limits them.
 */
export type RuleAction = { type: 'REJECT' } | { type: 'THROTTLE'; maxDelayMs: number } | { type: 'EXEMPT' };

/**
 * Effects of a denied event on its subscription. `COMPLETE`: the subscription ends
 * with the error of the denial. `DROP`: the event is not sent. `PAUSE`: the subscription reads no
 * further event until the limit has room.
 */
export const EVENT_POLICIES = ['COMPLETE', 'DROP', 'PAUSE'] as const;
export type EventPolicy = (typeof EVENT_POLICIES)[number];

/** Days of the week, in their order. */
export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Hours of the week in which a rule applies, in local time. */
export interface RuleSchedule {
  /** IANA name of the time zone, such as `Europe/Berlin`. */
  timeZone: string;
  /** Days on which the hours begin. Absent for every day. */
  days?: readonly Weekday[];
  /** Start of the hours, as `HH:MM`. */
  from: string;
  /** End of the hours, as `HH:MM` up to `24:00`. Hours that end before they start pass midnight. */
  to: string;
}

/** When a rule applies. Without any of these members, it always applies. */
export interface RuleTimes {
  schedule?: RuleSchedule;
  /** Time from which the rule applies, in ISO 8601. */
  activeFrom?: string;
  /** Time from which the rule no longer applies, in ISO 8601. */
  activeUntil?: string;
}

export interface Rule extends RuleTimes {
  id: string;
  name: string;
  description?: string;
  mode: 'OFF' | 'SHADOW' | 'ENFORCE';
  /** Share of the subjects that the rule applies to, by a stable hash: 0 to 100. */
  rolloutPercent: number;
  /**
   * Priority; a lower number comes first. Of the rules with the same scope, field and measure, the
   * first one that matches applies. Exempting rules come before all others.
   */
  priority: number;
  match: RuleMatch;
  scope: Scope;
  /**
   * Fields that the rule applies to: a coordinate, `Type.*`, `*.field` or `*`. Absent if `fields` is
   * present.
   */
  field?: string;
  /** Two or more of these patterns, sorted. Their fields share the counters of the rule. */
  fields?: readonly string[];
  measure: Measure;
  limits: readonly RuleLimit[];
  action: RuleAction;
  onUnavailable: OnUnavailable;
  /** Whether instances may lease tokens of the rule's counters in advance. */
  precision: Precision;
  /** Way in which the Redis servers of several regions enforce the limits of the rule. */
  regionMode: RegionMode;
  /** Effect on a subscription when the rule denies one of its events. */
  onEventDenied: EventPolicy;
  /** Code, message and status of a denial by this rule, instead of the defaults. */
  response?: { code?: string; message?: string; status?: number };
  /**
   * Features of the stored rule that this version does not know. Such a rule has no limits, and
   * denies all operations that it applies to.
   */
  unknown?: readonly string[];
  /**
   * Whether this version does not know the scope, the measure or the field of the stored rule. Its
   * level is then unknown too, so no other rule may win over it.
   */
  hasUnknownLevel?: true;
}

/**
 * Plan of callers. It adds one limit: its token bucket per principal, measured in cost. A tier whose
 * capacity is null has no bucket, so it limits its callers only by its maxima.
 */
export interface Tier {
  name: string;
  displayName: string;
  /**
   * Number of tokens in a full bucket, which is the largest burst. Null for no bucket; the next two
   * members are then null too.
   */
  capacity: number | null;
  refillAmount: number | null;
  refillPeriodMs: number | null;
  /** Budget that applies in addition to the bucket; null for none. */
  budget: CalendarBudget | null;
  /**
   * Maximum cost of one operation. A more expensive operation is rejected, even if the bucket
   * contains enough tokens; null for no ceiling.
   */
  maxCostPerOperation: number | null;
  /**
   * Maximum number of objects that one operation may return. The next two members are the maxima of
   * the two numbers that the cost-directives draft defines. Null for no maximum.
   */
  maxNodesPerOperation: number | null;
  maxTypeCostPerOperation: number | null;
  maxFieldCostPerOperation: number | null;
  /** Level of detail in the responses to callers of the tier. */
  answer: AnswerDetail;
  /** Whether callers without an assigned tier have this tier. Exactly one tier is the default. */
  isDefault: boolean;
  /** Version of this tier: 1 at first, and one more with each change. */
  version: number;
  /**
   * Features of the stored tier that this version does not know. All operations of its callers are
   * denied.
   */
  unknown?: readonly string[];
}

/** Returns the bucket of a tier. Undefined if the tier has none. */
export function bucketOf({
  capacity,
  refillAmount,
  refillPeriodMs,
}: Pick<Tier, 'capacity' | 'refillAmount' | 'refillPeriodMs'>): BucketParameters | undefined {
  if (capacity === null || refillAmount === null || refillPeriodMs === null) return undefined;
  return { capacity, refillAmount, refillPeriodMs };
}
