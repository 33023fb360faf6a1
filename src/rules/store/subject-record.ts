import type { Queryable } from '../../postgres/db.js';
import type { Bucket, SubjectKey } from './subject-key.js';

/** Bucket of one user or tenant that replaces the bucket of its tier. */
export interface BucketOverride extends Bucket {
  /** End of the override. Null if it has no end. */
  expiresAt: Date | null;
}

/** A stored user or tenant. */
export interface SubjectRecord {
  id: number;
  user: string | null;
  tenant: string | null;
  /** Name of the assigned tier. If null, the tenant's tier applies, else the default tier. */
  tier: string | null;
  /** Time of the latest assignment of a tier. */
  upgradedAt: Date | null;
  /** The override as it was set, even if it has expired. */
  override: BucketOverride | null;
  /**
   * First day of a billing period, as `YYYY-MM-DD`. Calendar windows with the anchor `SUBJECT`
   * begin at it. A user of a tenant has none: that of the tenant applies.
   */
  billingAnchor: string | null;
  disabledAt: Date | null;
  /** Number that each change increments by 1. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Conditions for the users and tenants in a list. */
export interface SubjectFilter {
  /** Name of the tier that is assigned to the subject itself, not to its tenant. */
  tier?: string | undefined;
  /** Id of a tenant. It matches the tenant itself and its users. */
  tenant?: string | undefined;
  disabled?: boolean | undefined;
  /** Whether the subject has its own bucket, which has not expired. */
  overridden?: boolean | undefined;
  /** Prefix of the user's id, or of the tenant's id if the entry is a tenant. */
  idStartsWith?: string | undefined;
}

interface SubjectRow {
  id: number;
  user_id: string;
  tenant_id: string;
  tier: string | null;
  upgraded_at: Date | null;
  override_capacity: number | null;
  override_refill_amount: number | null;
  override_refill_period_ms: number | null;
  override_expires_at: Date | null;
  billing_anchor: string | null;
  disabled_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `id, user_id, tenant_id, tier, upgraded_at, override_capacity, override_refill_amount,
  override_refill_period_ms, override_expires_at, billing_anchor::text as billing_anchor, disabled_at, version,
  created_at, updated_at`;

export async function readSubject(on: Queryable, { user, tenant }: SubjectKey): Promise<SubjectRecord | null> {
  const [row] = await on.query<SubjectRow>(`select ${COLUMNS} from subjects where tenant_id = $1 and user_id = $2`, [
    tenant ?? '',
    user ?? '',
  ]);
  return row ? toSubject(row) : null;
}

/**
 * Returns a page of the users and tenants after the one with id `after`, in the order in which they
 * were stored.
 */
export async function readSubjectPage(
  on: Queryable,
  { tier, tenant, disabled, overridden, idStartsWith }: SubjectFilter,
  { after, limit }: { after: number; limit: number },
): Promise<SubjectRecord[]> {
  const rows = await on.query<SubjectRow>(
    `select ${COLUMNS} from subjects
     where id > $1
       and ($2::text is null or tier = $2)
       and ($3::text is null or tenant_id = $3)
       and ($4::boolean is null or (disabled_at is not null) = $4)
       and ($5::boolean is null
         or (override_capacity is not null and (override_expires_at is null or override_expires_at > now())) = $5)
       and ($6::text is null or (user_id <> '' and user_id like $6) or (user_id = '' and tenant_id like $6))
     order by id limit $7`,
    [after, tier ?? null, tenant ?? null, disabled ?? null, overridden ?? null, likePrefix(idStartsWith), limit],
  );
  return rows.map(toSubject);
}

/**
 * Returns a pattern of `like` for texts that begin with a prefix. An index serves `like` in all
 * versions of PostgreSQL; older ones scan the table for `starts_with`.
 */
function likePrefix(prefix: string | undefined): string | null {
  return prefix === undefined ? null : `${prefix.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Returns the subjects with these ids, in no particular order. */
export async function readSubjectsById(on: Queryable, ids: readonly number[]): Promise<SubjectRecord[]> {
  const rows = await on.query<SubjectRow>(`select ${COLUMNS} from subjects where id = any($1::bigint[])`, [ids]);
  return rows.map(toSubject);
}

/**
 * Returns the records of exactly these users and tenants, in one statement, in no particular order.
 */
export async function readSubjectsOf(
  on: Queryable,
  owners: readonly Pick<SubjectRecord, 'user' | 'tenant'>[],
): Promise<SubjectRecord[]> {
  const rows = await on.query<SubjectRow>(
    `select ${COLUMNS} from subjects where (tenant_id, user_id) in (select * from unnest($1::text[], $2::text[]))`,
    [owners.map(({ tenant }) => tenant ?? ''), owners.map(({ user }) => user ?? '')],
  );
  return rows.map(toSubject);
}

/** The part of a stored subject that can be changed. */
export type SubjectState = Pick<SubjectRecord, 'tier' | 'upgradedAt' | 'override' | 'billingAnchor' | 'disabledAt'>;

export async function insertSubject(
  on: Queryable,
  { user, tenant }: SubjectKey,
  state: SubjectState,
): Promise<SubjectRecord> {
  const [row] = await on.query<SubjectRow>(
    `insert into subjects (tenant_id, user_id, tier, upgraded_at, override_capacity, override_refill_amount,
       override_refill_period_ms, override_expires_at, billing_anchor, disabled_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::date, $10) returning ${COLUMNS}`,
    [tenant ?? '', user ?? '', ...toParameters(state)],
  );
  return toSubject(row!);
}

/** Saves the changeable part of a subject and increments its version. */
export async function saveSubject(on: Queryable, id: number, state: SubjectState): Promise<SubjectRecord> {
  const [row] = await on.query<SubjectRow>(
    `update subjects set tier = $2, upgraded_at = $3, override_capacity = $4, override_refill_amount = $5,
       override_refill_period_ms = $6, override_expires_at = $7, billing_anchor = $8::date, disabled_at = $9,
       version = version + 1, updated_at = now()
     where id = $1 returning ${COLUMNS}`,
    [id, ...toParameters(state)],
  );
  return toSubject(row!);
}

/** Returns the subject as it would be after a change, without writing the change. */
export function previewSubject(
  { user, tenant }: SubjectKey,
  before: SubjectRecord | null,
  state: SubjectState,
): SubjectRecord {
  const now = new Date();
  if (before) return { ...before, ...state, version: before.version + 1, updatedAt: now };
  return { id: 0, user: user ?? null, tenant: tenant ?? null, ...state, version: 1, createdAt: now, updatedAt: now };
}

/**
 * Assigns tiers to subjects, and stores the subjects that are not stored yet. Returns them in no
 * particular order.
 */
export async function assignStoredTiers(
  on: Queryable,
  assignments: readonly (SubjectKey & { tier: string | null })[],
): Promise<SubjectRecord[]> {
  const rows = await on.query<SubjectRow>(
    `insert into subjects (tenant_id, user_id, tier, upgraded_at)
     select tenant_id, user_id, tier, now() from unnest($1::text[], $2::text[], $3::text[]) as one (tenant_id, user_id, tier)
     on conflict (tenant_id, user_id) do update
       set tier = excluded.tier, upgraded_at = excluded.upgraded_at, version = subjects.version + 1, updated_at = now()
     returning ${COLUMNS}`,
    [
      assignments.map(({ tenant }) => tenant ?? ''),
      assignments.map(({ user }) => user ?? ''),
      assignments.map(({ tier }) => tier),
    ],
  );
  return rows.map(toSubject);
}

/** Deletes a subject together with its API keys. */
export async function deleteStoredSubject(on: Queryable, id: number): Promise<void> {
  await on.query('delete from api_keys where subject_id = $1', [id]);
  await on.query('delete from subjects where id = $1', [id]);
}

function toParameters({ tier, upgradedAt, override, billingAnchor, disabledAt }: SubjectState) {
  return [
    tier,
    upgradedAt,
    override?.capacity ?? null,
    override?.refillAmount ?? null,
    override?.refillPeriodMs ?? null,
    override?.expiresAt ?? null,
    billingAnchor,
    disabledAt,
  ];
}

/** Columns of an override of the bucket. */
export type OverrideColumns = Pick<
  SubjectRow,
  'override_capacity' | 'override_refill_amount' | 'override_refill_period_ms' | 'override_expires_at'
>;

export function toOverride(row: OverrideColumns): BucketOverride | null {
  const { override_capacity: capacity, override_refill_amount: refillAmount } = row;
  const { override_refill_period_ms: refillPeriodMs, override_expires_at: expiresAt } = row;
  if (capacity === null || refillAmount === null || refillPeriodMs === null) return null;
  return { capacity, refillAmount, refillPeriodMs, expiresAt };
}

function toSubject(row: SubjectRow): SubjectRecord {
  return {
    id: row.id,
    user: row.user_id || null,
    tenant: row.tenant_id || null,
    tier: row.tier,
    upgradedAt: row.upgraded_at,
    override: toOverride(row),
    billingAnchor: row.billing_anchor,
    disabledAt: row.disabled_at,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
