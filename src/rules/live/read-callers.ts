import type { BucketParameters } from '../../model/limit-parameters.js';
import type { Subject } from '../../model/subject.js';
import type { Connections } from '../../postgres/db.js';
import { type KeyHolderColumns, subjectOfKey } from '../store/api-key-record.js';
import type { SubjectKey } from '../store/subject-key.js';

/**
 * The stored settings of a caller that affect its requests. They are plain data, because Redis
 * stores them as JSON.
 */
export interface StoredCaller {
  /**
   * The caller. Its `tier` is its own, else its tenant's. If both are absent, the default tier
   * applies.
   */
  subject: Subject;
  /** Whether the caller or its tenant is disabled. */
  disabled: boolean;
  /**
   * Bucket that replaces the tier's: the override of the caller, else that of its tenant. A
   * tenant's override does not apply to a caller with an assigned tier. Null if there is no
   * override. `expiresAtMs` is null if the bucket never expires.
   */
  override: (BucketParameters & { expiresAtMs: number | null }) | null;
  /** Expiry of the API key. Null if the key never expires, or if there is no API key. */
  keyExpiresAtMs: number | null;
}

interface CallerRow {
  tier: string | null;
  billing_anchor: string | null;
  disabled: boolean;
  capacity: number | null;
  refill_amount: number | null;
  refill_period_ms: number | null;
  override_expires_at: Date | null;
}

/**
 * Columns for a subject `s` with its tenant `t`. All numbers of an override come from the same row:
 * the subject's or the tenant's. A user's own tier takes precedence over the tenant's. The billing
 * anchor is that of the tenant, if there is a tenant.
 */
const COLUMNS = `coalesce(s.tier, t.tier) as tier,
  coalesce(t.billing_anchor, s.billing_anchor)::text as billing_anchor,
  s.disabled_at is not null or t.disabled_at is not null as disabled,
  o.override_capacity as capacity, o.override_refill_amount as refill_amount,
  o.override_refill_period_ms as refill_period_ms, o.override_expires_at`;

const OVERRIDE = `left join lateral (
    select one.* from (values (1, s.id), (2, t.id)) as of (place, id)
    join subjects one on one.id = of.id
    where (of.place = 1 or s.tier is null)
      and one.override_capacity is not null and (one.override_expires_at is null or one.override_expires_at > now())
    order by of.place limit 1
  ) o on true`;

/**
 * Reads the holders of the API keys with these hashes in one statement. Revoked and expired keys
 * are omitted.
 */
export async function readHolders(db: Connections, hashes: readonly string[]): Promise<Map<string, StoredCaller>> {
  const rows = await db.query<CallerRow & KeyHolderColumns & { hash: string; expires_at: Date | null }>(
    `select k.secret_hash as hash, k.prefix, k.kind, k.budget, k.fields, k.expires_at, s.user_id, s.tenant_id, ${COLUMNS}
     from api_keys k
     join subjects s on s.id = k.subject_id
     left join subjects t on t.tenant_id = s.tenant_id and t.user_id = '' and s.user_id <> ''
     ${OVERRIDE}
     where k.secret_hash = any($1::text[]) and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
    [hashes],
  );
  return new Map(rows.map((row) => [row.hash, toCaller(row, subjectOfKey(row), row.expires_at?.getTime() ?? null)]));
}

/**
 * Reads the settings of these users and tenants in one statement, in the given order. A user that
 * is not stored has the settings of its tenant, else default settings.
 */
export async function readCallers(db: Connections, keys: readonly SubjectKey[]): Promise<StoredCaller[]> {
  const rows = await db.query<CallerRow & { place: number }>(
    `select w.place::int as place, ${COLUMNS}
     from unnest($1::text[], $2::text[]) with ordinality as w (tenant_id, user_id, place)
     left join subjects s on s.tenant_id = w.tenant_id and s.user_id = w.user_id
     left join subjects t on t.tenant_id = w.tenant_id and t.user_id = '' and w.user_id <> ''
     ${OVERRIDE}
     order by w.place`,
    [keys.map(({ tenant }) => tenant ?? ''), keys.map(({ user }) => user ?? '')],
  );
  return rows.map((row, index) => {
    const { user, tenant } = keys[index]!;
    const subject: Subject = {};
    if (user) subject.user = user;
    if (tenant) subject.tenant = tenant;
    return toCaller(row, subject, null);
  });
}

function toCaller(row: CallerRow, subject: Subject, keyExpiresAtMs: number | null): StoredCaller {
  if (row.tier) subject.tier = row.tier;
  if (row.billing_anchor) subject.billingAnchor = row.billing_anchor;
  const { capacity, refill_amount: refillAmount, refill_period_ms: refillPeriodMs } = row;
  const override =
    capacity === null || refillAmount === null || refillPeriodMs === null
      ? null
      : { capacity, refillAmount, refillPeriodMs, expiresAtMs: row.override_expires_at?.getTime() ?? null };
  return { subject, disabled: row.disabled, override, keyExpiresAtMs };
}
