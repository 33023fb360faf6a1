import { createAddressSet } from './address-set.js';
import { type FieldPattern, parseFieldPattern } from './pattern.js';
import { inRollout } from './rollout.js';
import type { Measure, OperationType, Rule, RuleLimit, Scope, Subject, Tier } from './types.js';

/** One limit that applies to an operation: everything a charge needs but its cost. */
export interface BoundLimit {
  /** Identity of the counter: level and window, not the rule that names it. */
  readonly id: string;
  /** The rule's name, or `tier:NAME` for the bucket that a tier brings. */
  readonly ruleName: string;
  /** Undefined for a tier's bucket. */
  readonly rule: Rule | undefined;
  readonly scope: Scope;
  readonly pattern: FieldPattern;
  readonly measure: Measure;
  readonly parameters: RuleLimit;
  readonly mode: 'ENFORCE' | 'SHADOW';
}

/** What of an operation decides which rules are for it. */
export interface OperationFacts {
  type: OperationType;
  name: string | undefined;
  /** Whether the operation can resolve a field whose coordinate satisfies `matches`. */
  touches(matches: (coordinate: string) => boolean): boolean;
}

/** What of a request decides which rules are for it. */
export interface RequestFacts {
  subject: Subject;
  /** The root of the caller's counters: tenant, else principal. The rollout is stable in it. */
  root: string;
  client?: string | undefined;
}

/** The rules of one version, immutable. */
export interface Ruleset {
  readonly version: number;
  readonly rules: readonly Rule[];
  readonly tiers: readonly Tier[];
  /** The tier of that name, else the default one. */
  tier(name: string | undefined): Tier;
  /** What applies to an operation on a tier; to be kept with the plan. */
  bind(tier: Tier, operation: OperationFacts): BoundRuleset;
  /** The limit a tier brings by itself: its bucket. */
  bucket(tier: Tier): BoundLimit;
  /** What may apply to some operation of a tier: for showing a subject's quota. */
  bindAll(tier: Tier): BoundRuleset;
}

export interface BoundRuleset {
  /** The limits for a request, narrowest field first. The same array each time where nothing depends on the request. */
  select(request: RequestFacts): readonly BoundLimit[];
}

/** Rules of one level (scope, field, measure) compete; each candidate may hang on the request. */
interface Candidate {
  rule: Rule;
  limits: readonly BoundLimit[];
  appliesTo: ((request: RequestFacts) => boolean) | undefined;
}

interface Level {
  /** Best first: exempting rules, then by priority, then by id. The first that applies wins. */
  candidates: readonly Candidate[];
  /** The tier's own bucket stands beside the rules of its level; only an exemption takes it away. */
  always: readonly BoundLimit[];
  rank: number;
}

/** Builds the immutable snapshot that requests are matched against. Pure. */
export function createRuleset({ tiers, rules, version }: Pick<Ruleset, 'tiers' | 'rules' | 'version'>): Ruleset {
  const byName = new Map(tiers.map((tier) => [tier.name, tier]));
  const fallback = tiers.find((tier) => tier.isDefault) ?? tiers[0];
  if (!fallback) throw new TypeError('tiers: expected at least one tier');
  const active = rules.filter((rule) => rule.mode !== 'OFF').map(prepare);

  return {
    version,
    rules,
    tiers,
    tier: (name) => (name === undefined ? undefined : byName.get(name)) ?? fallback,
    bind: (tier, operation) =>
      bindRules(
        tier,
        active.filter((one) => concerns(one, tier, operation)),
      ),
    bucket: tierBucket,
    bindAll: (tier) =>
      bindRules(
        tier,
        active.filter((one) => includes(one.rule.match.tiers, tier.name)),
      ),
  };
}

interface PreparedRule {
  rule: Rule;
  pattern: FieldPattern;
  limits: readonly BoundLimit[];
  appliesTo: ((request: RequestFacts) => boolean) | undefined;
}

function prepare(rule: Rule): PreparedRule {
  const pattern = parseFieldPattern(rule.field);
  if (!pattern)
    throw new TypeError(`rule "${rule.name}": field: expected "Type.field", "Type.*" or "*", got "${rule.field}"`);
  const mode = rule.mode === 'SHADOW' ? 'SHADOW' : 'ENFORCE';
  const limits = rule.limits.map((parameters): BoundLimit => {
    const id = counterId(rule.scope, rule.field, rule.measure, parameters);
    // A shadow must not touch the counter of the rule it stands beside.
    return {
      id: mode === 'SHADOW' ? `${id}|shadow|${rule.id}` : id,
      ruleName: rule.name,
      rule,
      scope: rule.scope,
      pattern,
      measure: rule.measure,
      parameters,
      mode,
    };
  });
  return { rule, pattern, limits, appliesTo: residualOf(rule) };
}

/** A counter's identity: scope, field pattern, measure, algorithm, window or `bucket`, and the limit's key. */
function counterId(scope: Scope, field: string, measure: Measure, { algorithm, windowMs, key }: RuleLimit): string {
  return [scope, field, measure, algorithm, windowMs ?? 'bucket', ...(key === undefined ? [] : [key])].join('|');
}

/** What a rule asks of the request itself; undefined when it asks nothing. */
function residualOf(rule: Rule): ((request: RequestFacts) => boolean) | undefined {
  const tests: ((request: RequestFacts) => boolean)[] = [];
  const { clients, addresses } = rule.match;
  if (clients && clients.length > 0) {
    const set = new Set(clients);
    tests.push(({ client }) => client !== undefined && set.has(client));
  }
  if (addresses && addresses.length > 0) {
    const set = createAddressSet(addresses);
    tests.push(({ subject }) => subject.ip !== undefined && set.has(subject.ip));
  }
  if (rule.rolloutPercent < 100) tests.push(({ root }) => inRollout(rule.id, root, rule.rolloutPercent));
  if (tests.length === 0) return undefined;
  return (request) => tests.every((test) => test(request));
}

function concerns({ rule, pattern }: PreparedRule, tier: Tier, operation: OperationFacts): boolean {
  const { tiers, operationTypes, operationNames } = rule.match;
  if (!includes(tiers, tier.name) || !includes(operationTypes, operation.type)) return false;
  if (operationNames && operationNames.length > 0) {
    if (operation.name === undefined || !operationNames.includes(operation.name)) return false;
  }
  return pattern.wholeOperation || operation.touches(pattern.matches);
}

function includes<T>(list: readonly T[] | undefined, value: T): boolean {
  return list === undefined || list.length === 0 || list.includes(value);
}

function bindRules(tier: Tier, prepared: readonly PreparedRule[]): BoundRuleset {
  const levels = new Map<string, { candidates: Candidate[]; always: BoundLimit[]; rank: number }>();
  const levelOf = (scope: Scope, pattern: FieldPattern, measure: Measure) => {
    const key = `${scope}|${pattern.text}|${measure}`;
    const level = levels.get(key) ?? { candidates: [], always: [], rank: pattern.rank };
    levels.set(key, level);
    return level;
  };
  const bucket = tierBucket(tier);
  levelOf(bucket.scope, bucket.pattern, bucket.measure).always.push(bucket);
  const shadows: Candidate[] = [];
  for (const { rule, pattern, limits, appliesTo } of prepared) {
    const candidate = { rule, limits, appliesTo };
    if (rule.mode === 'SHADOW') shadows.push(candidate);
    else levelOf(rule.scope, pattern, rule.measure).candidates.push(candidate);
  }
  const ordered: Level[] = [...levels.values()].sort((a, b) => a.rank - b.rank);
  for (const level of levels.values()) level.candidates.sort(bestFirst);

  const hangsOnRequest =
    shadows.some((one) => one.appliesTo) || ordered.some((level) => level.candidates.some((one) => one.appliesTo));
  const select = (request: RequestFacts | undefined) => {
    const applies = (one: Candidate) => !one.appliesTo || (request !== undefined && one.appliesTo(request));
    const limits: BoundLimit[] = [];
    for (const { candidates, always } of ordered) {
      const winner = candidates.find(applies);
      if (winner?.rule.action.type === 'EXEMPT') continue;
      if (winner) limits.push(...winner.limits);
      limits.push(...always);
    }
    for (const shadow of shadows) if (applies(shadow)) limits.push(...shadow.limits);
    return limits;
  };
  if (hangsOnRequest) return { select };
  const fixed = select(undefined);
  return { select: () => fixed };
}

function bestFirst(a: Candidate, b: Candidate): number {
  const exempts = (one: Candidate) => (one.rule.action.type === 'EXEMPT' ? 0 : 1);
  return exempts(a) - exempts(b) || a.rule.priority - b.rule.priority || (a.rule.id < b.rule.id ? -1 : 1);
}

const WHOLE_OPERATION = parseFieldPattern('*') as FieldPattern;

/** The limit that a tier brings without being asked: its token bucket per principal, measured in cost. */
function tierBucket(tier: Tier): BoundLimit {
  const { capacity, refillAmount, refillPeriodMs } = tier;
  const parameters: RuleLimit = { algorithm: 'TOKEN_BUCKET', capacity, refillAmount, refillPeriodMs, key: 'tier' };
  return {
    id: counterId('USER', '*', 'COST', parameters),
    ruleName: `tier:${tier.name}`,
    rule: undefined,
    scope: 'USER',
    pattern: WHOLE_OPERATION,
    measure: 'COST',
    parameters,
    mode: 'ENFORCE',
  };
}
