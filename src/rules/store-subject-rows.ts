import type { Queryable } from '../store/db.js';
import type { SubjectKey } from './store-subject-input.js';

/** What is stored about a user or a tenant. */
export interface SubjectRecord {
  id: number;
  user: string | null;
  tenant: string | null;
  /** Null: the tenant's tier, else the default one. */
  tier: string | null;
  /** When the tier was last assigned. */
  upgradedAt: Date | null;
  disabledAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

interface SubjectRow {
  id: number;
  user_id: string;
  tenant_id: string;
  tier: string | null;
  upgraded_at: Date | null;
  disabled_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = 'id, user_id, tenant_id, tier, upgraded_at, disabled_at, version, created_at, updated_at';

export async function readSubject(on: Queryable, { user, tenant }: SubjectKey): Promise<SubjectRecord | null> {
  const [row] = await on.query<SubjectRow>(`select ${COLUMNS} from subjects where tenant_id = $1 and user_id = $2`, [
    tenant ?? '',
    user ?? '',
  ]);
  return row ? toSubject(row) : null;
}

export async function insertSubject(
  on: Queryable,
  { user, tenant }: SubjectKey,
  tier: string | null,
): Promise<SubjectRecord> {
  const [row] = await on.query<SubjectRow>(
    `insert into subjects (tenant_id, user_id, tier, upgraded_at)
     values ($1, $2, $3::text, case when $3::text is not null then now() end) returning ${COLUMNS}`,
    [tenant ?? '', user ?? '', tier],
  );
  return toSubject(row!);
}

/** Assigns the tier under the next version. */
export async function saveSubjectTier(on: Queryable, id: number, tier: string | null): Promise<SubjectRecord> {
  const [row] = await on.query<SubjectRow>(
    `update subjects set tier = $2, upgraded_at = now(), version = version + 1, updated_at = now()
     where id = $1 returning ${COLUMNS}`,
    [id, tier],
  );
  return toSubject(row!);
}

function toSubject(row: SubjectRow): SubjectRecord {
  return {
    id: row.id,
    user: row.user_id || null,
    tenant: row.tenant_id || null,
    tier: row.tier,
    upgradedAt: row.upgraded_at,
    disabledAt: row.disabled_at,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
