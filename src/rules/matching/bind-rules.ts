import type { BucketParameters } from '../../model/limit-parameters.js';
import { bucketOf, type Tier } from '../../model/rule.js';
import { type BoundLimit, BUCKET_LEVEL, bestFirst, type PreparedRule, tierBucket } from './prepare-rule.js';
import { isRolledOutTo, type RequestFacts } from './rule-index.js';

/** The limits that apply to an operation on a tier. */
export interface BoundRuleset {
  /**
   * Returns the limits for a request: those that are enforced, narrowest field first, then the
   * shadow limits. It returns the same array each time if nothing depends on the request.
   */
  select(request: RequestFacts): readonly BoundLimit[];
}

/** A level (scope, field, measure), whose rules compete: only the best one applies. */
interface Level {
  rank: number;
  /**
   * The best enforced rule. In `composeWith`, it may be a rule that applies only to some requests.
   */
  winner: PreparedRule | undefined;
  /**
   * Bucket of the tier. It applies in addition to the winner of its level; only an exemption
   * removes it.
   */
  bucket: BoundLimit | undefined;
}

/**
 * Binds the rules of an operation on a tier. Everything that does not depend on the request is
 * decided here, once. `forRequest` returns the rules that apply because of a request's client or
 * address.
 */
export function bindRules(
  tier: Tier,
  rules: readonly PreparedRule[],
  forRequest: (request: RequestFacts) => readonly PreparedRule[],
): BoundRuleset {
  const bucket = tierBucket(tier);
  const levels = new Map<string, Level>([[BUCKET_LEVEL, { rank: bucket.pattern.rank, winner: undefined, bucket }]]);
  const shadows: PreparedRule[] = [];
  const rollingOut: PreparedRule[] = [];
  for (const one of [...rules].sort(bestFirst)) {
    // The winner of the level applies to all requests and ranks before this rule. A shadow rule is
    // skipped too, because it would not apply if it were enforced.
    if (levels.get(one.level)?.winner) continue;
    if (one.rule.rolloutPercent < 100) rollingOut.push(one);
    else if (one.rule.mode === 'SHADOW') shadows.push(one);
    else levels.set(one.level, { bucket: undefined, ...levels.get(one.level), rank: one.pattern.rank, winner: one });
  }
  const fixed = compose([...levels.values()], shadows);
  const hasBucket = bucketOf(tier) !== undefined;
  const fixedWithoutBucket = hasBucket ? fixed : fixed.filter((limit) => limit !== bucket);
  const overridden = new WeakMap<BucketParameters, BoundLimit>();

  /**
   * Replaces the tier's bucket with the subject's own. Returns the same limit object for the same
   * bucket. Without an override, removes the bucket that only stands for that of a tier without one.
   */
  function withOverride(limits: readonly BoundLimit[], override: BucketParameters | undefined): readonly BoundLimit[] {
    if (!override) {
      if (hasBucket) return limits;
      return limits === fixed ? fixedWithoutBucket : limits.filter((limit) => limit !== bucket);
    }
    const known = knownBucket(override);
    const own = overridden.get(known) ?? tierBucket(tier, known);
    overridden.set(known, own);
    return limits.map((limit) => (limit === bucket ? own : limit));
  }

  return {
    select(request) {
      const added = forRequest(request);
      const contenders = added.length === 0 ? rollingOut : [...added, ...rollingOut];
      const applying =
        contenders.length === 0
          ? contenders
          : contenders.filter((one) => one.rule.rolloutPercent >= 100 || isRolledOutTo(one, request));
      const limits = applying.length === 0 ? fixed : composeWith(levels, shadows, applying);
      return withOverride(limits, request.subject.bucket);
    },
  };
}

/** Buckets by their capacity and refill. */
let knownBuckets = new Map<string, BucketParameters>();
const MAX_KNOWN_BUCKETS = 10_000;

/**
 * Returns the same object for the same capacity and refill. An `identify` function may create a new
 * bucket object for each request, or modify one that it returned before.
 */
function knownBucket({ capacity, refillAmount, refillPeriodMs }: BucketParameters): BucketParameters {
  const key = `${capacity} ${refillAmount} ${refillPeriodMs}`;
  let known = knownBuckets.get(key);
  if (known === undefined) {
    if (knownBuckets.size >= MAX_KNOWN_BUCKETS) knownBuckets = new Map();
    known = { capacity, refillAmount, refillPeriodMs };
    knownBuckets.set(key, known);
  }
  return known;
}

/**
 * Returns the limits for one request. The rules in `applying`, which apply only to some requests,
 * compete with the rules that apply to all requests.
 */
function composeWith(
  levels: ReadonlyMap<string, Level>,
  shadows: readonly PreparedRule[],
  applying: readonly PreparedRule[],
): BoundLimit[] {
  const contested = new Map(levels);
  const contendingShadows = [...shadows];
  for (const one of applying) {
    if (one.rule.mode === 'SHADOW') contendingShadows.push(one);
    else if (wins(one, contested)) {
      contested.set(one.level, {
        rank: one.pattern.rank,
        winner: one,
        bucket: contested.get(one.level)?.bucket,
      });
    }
  }
  const winningShadows = contendingShadows.filter((one) => wins(one, contested));
  return compose([...contested.values()], winningShadows);
}

/** Returns whether the rule wins on its level: no better rule of this level applies. */
function wins(one: PreparedRule, levels: ReadonlyMap<string, Level>): boolean {
  const winner = levels.get(one.level)?.winner;
  return winner === undefined || bestFirst(one, winner) <= 0;
}

/**
 * Orders levels by the width of their field, narrowest first. At equal width, the tier's bucket
 * comes first, then the best rule, so that the order does not depend on rules that do not apply.
 */
function narrowestFirst(a: Level, b: Level): number {
  return (
    a.rank - b.rank ||
    Number(b.bucket !== undefined) - Number(a.bucket !== undefined) ||
    (a.winner && b.winner ? bestFirst(a.winner, b.winner) : 0)
  );
}

function compose(levels: readonly Level[], shadows: readonly PreparedRule[]): BoundLimit[] {
  const limits: BoundLimit[] = [];
  for (const { winner, bucket } of [...levels].sort(narrowestFirst)) {
    if (winner?.rule.action.type === 'EXEMPT') continue;
    if (winner) limits.push(...winner.limits);
    if (bucket) limits.push(bucket);
  }
  for (const shadow of shadows) limits.push(...shadow.limits);
  return limits;
}
