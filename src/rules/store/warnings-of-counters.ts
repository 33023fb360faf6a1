import type { Rule } from '../../model/rule.js';
import type { Queryable } from '../../postgres/db.js';
import { chunksOf, inSlices } from '../../runtime/in-slices.js';
import { counterWarnings, type EarlierRule } from '../matching/counter-warnings.js';
import { type RuleRecord, readRulesOfLevel } from './rule-record.js';

/**
 * Maximum number of earlier versions that are read. More are not needed: rules are usually restored
 * to a recent version, and old usage has expired.
 */
const MOST_VERSIONS = 50;

/** A stored rule and its new state. */
interface RuleChange {
  before: RuleRecord;
  next: Rule;
}

/** Number of rules whose earlier versions are read in one statement. */
const RULES_AT_ONCE = 100;

/**
 * Returns warnings about the counters that an edit of a stored rule affects. Competing rules and
 * earlier versions are read only where the edit affects counters.
 */
export async function warningsOfCounters(on: Queryable, before: RuleRecord, next: Rule): Promise<string[]> {
  if (counterWarnings(before, next).length === 0) return [];
  const earlier = await readEarlier(on, [before]);
  return counterWarnings(before, next, await readRulesOfLevel(on, next), earlier.get(before.id));
}

/**
 * Returns the warnings of `warningsOfCounters` for many rules, by rule id. Rules without a warning
 * are absent.
 * @param stored all rules in use
 */
export async function warningsOfManyCounters(
  on: Queryable,
  changes: readonly RuleChange[],
  stored: readonly RuleRecord[],
): Promise<Map<string, string[]>> {
  const changed: RuleChange[] = [];
  for await (const change of inSlices(changes)) {
    if (counterWarnings(change.before, change.next).length > 0) changed.push(change);
  }
  const byLevel = new Map<string, RuleRecord[]>();
  for (const rule of changed.length > 0 ? stored : []) {
    const rivals = byLevel.get(levelOf(rule));
    if (rivals) rivals.push(rule);
    else byLevel.set(levelOf(rule), [rule]);
  }
  const warnings = new Map<string, string[]>();
  for (const some of chunksOf(changed, RULES_AT_ONCE)) {
    const earlier = await readEarlier(
      on,
      some.map(({ before }) => before),
    );
    for await (const { before, next } of inSlices(some)) {
      warnings.set(before.id, counterWarnings(before, next, byLevel.get(levelOf(next)), earlier.get(before.id)));
    }
  }
  return warnings;
}

function levelOf({ scope, field, measure }: Rule): string {
  return `${scope} ${field} ${measure}`;
}

/**
 * Reads the versions of each rule before its current one, latest first. Versions that were retired
 * or `OFF` are omitted, because they counted nothing.
 */
async function readEarlier(on: Queryable, rules: readonly RuleRecord[]): Promise<Map<string, EarlierRule[]>> {
  const rows = await on.query<{ id: string; after: RuleRecord; agoMs: number }>(
    `select wanted.id, entry.after, entry."agoMs" from unnest($1::text[], $2::integer[]) as wanted (id, version)
     cross join lateral (
       select number, after, (extract(epoch from now() - changed_at) * 1000)::double precision as "agoMs" from changes
       where entity = 'RULE' and entity_key = wanted.id and (after ->> 'version')::integer <= wanted.version
       order by number desc limit $3
     ) as entry
     order by entry.number desc`,
    [rules.map(({ id }) => id), rules.map(({ version }) => version), MOST_VERSIONS + 1],
  );
  const earlier = new Map<string, EarlierRule[]>();
  const followedAgoMs = new Map<string, number>();
  for (const { id, after, agoMs } of rows) {
    const leftAgoMs = followedAgoMs.get(id);
    followedAgoMs.set(id, agoMs);
    if (leftAgoMs === undefined || after.retiredAt || after.mode === 'OFF') continue;
    const found = earlier.get(id) ?? [];
    found.push({ rule: after, version: after.version, leftAgoMs });
    earlier.set(id, found);
  }
  return earlier;
}
