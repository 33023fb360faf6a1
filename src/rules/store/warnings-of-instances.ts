import type { Rule } from '../../model/rule.js';
import type { Queryable } from '../../postgres/db.js';
import { IS_ALIVE } from '../../postgres/is-alive.js';
import { featuresOfRule } from '../policy/features.js';

/** A running process and the features of rules, tiers and keys that it knows. */
interface KnowingInstance {
  host: string;
  pid: number;
  version: string;
  /** Null if its version does not report them. It may then know none of them. */
  features: string[] | null;
}

/** Maximum number of processes that are read, and that a warning names. */
const MAX_READ = 1000;
const MAX_NAMED = 5;

/** Returns the running processes that do not know all of the features. */
export async function readOlderInstances(on: Queryable, features: readonly string[]): Promise<KnowingInstance[]> {
  if (features.length === 0) return [];
  return on.query<KnowingInstance>(
    `select host, pid, version, features from instances
     where ${IS_ALIVE} and not coalesce(features, '{}') @> $1::text[] order by host collate "C", pid limit $2`,
    [features, MAX_READ],
  );
}

/**
 * Returns a warning for each list of features that some of the processes do not know.
 * @param effect behavior of these processes, such as `ignore the rule`
 */
export function describeOlder(
  instances: readonly KnowingInstance[],
  features: readonly string[],
  effect: string,
): string[] {
  const byUnknown = new Map<string, string[]>();
  for (const { host, pid, version, features: known } of instances) {
    const unknown = features.filter((feature) => !known?.includes(feature)).join(', ');
    if (unknown === '') continue;
    const names = byUnknown.get(unknown) ?? [];
    byUnknown.set(unknown, names);
    names.push(`${host} (process ${pid}, version ${version})`);
  }
  return [...byUnknown].map(([unknown, names]) => {
    const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
    return `running instances do not know ${unknown}: ${names.slice(0, MAX_NAMED).join(', ')}${more}; until they are updated, they ${effect}`;
  });
}

/** Returns a warning if running processes cannot apply something with these features. */
export async function warningsOfInstances(
  on: Queryable,
  features: readonly string[],
  effect: string,
): Promise<string[]> {
  return describeOlder(await readOlderInstances(on, features), features, effect);
}

/** Returns a warning if running processes cannot apply a rule. */
export function instanceWarningsOfRule(on: Queryable, rule: Omit<Rule, 'id'>): Promise<string[]> {
  return warningsOfInstances(on, featuresOfRule(rule), effectOfRule(rule));
}

/** Returns the behavior of processes that do not know all features of a rule. */
export function effectOfRule({ mode, action }: Pick<Rule, 'mode' | 'action'>): string {
  const isDenying = mode === 'ENFORCE' && action.type !== 'EXEMPT';
  return isDenying ? 'deny the operations that the rule may apply to' : 'ignore the rule';
}

export const EFFECT_OF_TIER = 'deny the operations of its callers';
