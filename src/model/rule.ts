import type { LimitParameters, OnUnavailable, Precision } from './limit-parameters.js';
import type { Scope } from './subject.js';

/** The words of rules and tiers, as plain data. Units stand last in a name. */

/** What a price is in: tokens, objects, or one of the two numbers of the cost-directives draft. */
export const AMOUNTS = ['COST', 'NODES', 'TYPE_COST', 'FIELD_COST'] as const;
export type Amount = (typeof AMOUNTS)[number];

/**
 * What a limit counts: an amount of the outermost matching fields with what is below them, how often matching fields are
 * resolved, or one per operation that matches at all.
 */
export const MEASURES = ['COST', 'CALLS', 'REQUESTS', 'NODES', 'TYPE_COST', 'FIELD_COST'] as const;
export type Measure = (typeof MEASURES)[number];

/**
 * How much an answer says of cost and limits: what it cost, the tier's bucket and the one limit that is nearest to denying;
 * all of them; or nothing, for callers who are not to know the numbers.
 */
export const ANSWERS = ['BRIEF', 'FULL', 'NONE'] as const;
export type AnswerDetail = (typeof ANSWERS)[number];

export type OperationType = 'QUERY' | 'MUTATION' | 'SUBSCRIPTION';

export interface RuleLimit extends LimitParameters {
  /** Tells two limits of one rule apart that are otherwise alike. */
  key?: string;
  /** Denied operations are counted too: for abuse rules. */
  countDenied?: boolean;
  /** Buckets: how far below zero a settlement may take the level. @default one capacity */
  maxDebt?: number;
}

/** Which operations and subjects a rule is for; an absent or empty list matches all. */
export interface RuleMatch {
  tiers?: readonly string[];
  operationTypes?: readonly OperationType[];
  operationNames?: readonly string[];
  clients?: readonly string[];
  /** CIDR blocks or single addresses. */
  addresses?: readonly string[];
}

export type RuleAction = { type: 'REJECT' } | { type: 'THROTTLE'; maxDelayMs: number } | { type: 'EXEMPT' };

export interface Rule {
  id: string;
  name: string;
  description?: string;
  mode: 'OFF' | 'SHADOW' | 'ENFORCE';
  /** 0 to 100: the share of subjects it applies to, by a stable hash. */
  rolloutPercent: number;
  /** Lower first: of the rules of one level, the first that matches wins. */
  priority: number;
  match: RuleMatch;
  scope: Scope;
  /** A coordinate, `Type.*`, or `*`. */
  field: string;
  measure: Measure;
  limits: readonly RuleLimit[];
  action: RuleAction;
  onUnavailable: OnUnavailable;
  /** Whether instances may take tokens of its counters ahead. */
  precision: Precision;
  /** What a denial by this rule says instead of the defaults. */
  response?: { code?: string; message?: string; status?: number };
}

/** A plan. It brings one limit without being asked: its token bucket per principal, measured in cost. */
export interface Tier {
  name: string;
  displayName: string;
  /** Tokens that fit into the bucket: the burst. */
  capacity: number;
  refillAmount: number;
  refillPeriodMs: number;
  /** Operations that cost more are refused whatever the bucket holds; null: no ceiling. */
  maxCostPerOperation: number | null;
  /** The same for the objects that they may return, and for the two numbers of the cost-directives draft. */
  maxNodesPerOperation: number | null;
  maxTypeCostPerOperation: number | null;
  maxFieldCostPerOperation: number | null;
  /** What the answers to its callers say. */
  answer: AnswerDetail;
  /** The tier of callers that no other tier was assigned to; exactly one is. */
  isDefault: boolean;
  /** Counts the changes of this tier, from 1. */
  version: number;
}
