import { createHash } from 'node:crypto';
import type { Rule, Tier } from '../model/rule.js';
import type { Queryable } from '../postgres/db.js';
import { toRuleAttributes } from '../rules/policy/parse-policy.js';
import { ruleInput } from '../rules/policy/rule-input.js';
import { tierAttributes, tierInput } from '../rules/policy/tier-input.js';

/** A tier as code declares it. */
export type TierInCode = Omit<Tier, 'version'>;

/** The rules and tiers in the code of a server, for the processes that administer it. */
export interface PublishedPolicy {
  service: string;
  /**
   * Hash of everything that the server publishes: the schema with its prices, the rules and the
   * tiers.
   */
  hash: string;
  rules: readonly Rule[];
  tiers: readonly TierInCode[];
}

/** A published policy without its content. */
export interface PolicyNotice {
  service: string;
  hash: string;
  publishedAt: Date;
}

/** Time after which the policy of a service without a running server is no longer listed: a day. */
const POLICY_LASTS_MS = 86_400_000;
/** Maximum number of policies that are read, because the list has no pages. */
const MAX_POLICIES = 100;

/**
 * Returns the policy to publish.
 * @param schemaHash hash of the schema that is published with it
 */
export function publishedPolicyOf(
  service: string,
  schemaHash: string,
  { rules, tiers }: { rules: readonly Rule[]; tiers: readonly Tier[] },
): PublishedPolicy {
  const declared = tiers.map(({ version: _version, ...tier }) => tier);
  const hash = createHash('sha256')
    .update(JSON.stringify([schemaHash, rules, declared]))
    .digest('hex');
  return { service, hash, rules, tiers: declared };
}

/**
 * Replaces the published policy of the service. The time of publication changes only with the
 * content.
 */
export async function publishPolicy(db: Queryable, { service, hash, rules, tiers }: PublishedPolicy): Promise<void> {
  await db.query(
    `insert into service_policies (service, hash, rules, tiers) values ($1, $2, $3::jsonb, $4::jsonb)
     on conflict (service) do update set
       published_at = case when service_policies.hash = excluded.hash then service_policies.published_at else now() end,
       hash = excluded.hash, rules = excluded.rules, tiers = excluded.tiers, seen_at = now()`,
    [service, hash, JSON.stringify(rules), JSON.stringify(tiers)],
  );
}

/** Returns the policies of services that were seen within a day, ordered by name. */
export function readPolicyNotices(db: Queryable): Promise<PolicyNotice[]> {
  return db.query<PolicyNotice>(
    `select service, hash, published_at as "publishedAt" from service_policies
     where seen_at > now() - $1::bigint * interval '1 millisecond' order by service collate "C" limit $2`,
    [POLICY_LASTS_MS, MAX_POLICIES],
  );
}

/**
 * Returns the published policy, or null if none has this name. Rules and tiers that this version
 * cannot read are omitted.
 */
export async function readPublishedPolicy(db: Queryable, service: string): Promise<PublishedPolicy | null> {
  const [row] = await db.query<{ hash: string; rules: unknown[]; tiers: unknown[] }>(
    'select hash, rules, tiers from service_policies where service = $1',
    [service],
  );
  if (!row) return null;
  return { service, hash: row.hash, rules: row.rules.flatMap(readRule), tiers: row.tiers.flatMap(readTier) };
}

function readRule(published: unknown): Rule[] {
  const { success, data } = ruleInput.safeParse(published);
  return success ? [{ ...toRuleAttributes(data), id: data.id ?? data.name }] : [];
}

function readTier(published: unknown): TierInCode[] {
  const { success, data } = tierInput.safeParse(published);
  return success ? [tierAttributes(data)] : [];
}
