import type { CalendarBudget } from '../../model/limit-parameters.js';
import type { AnswerDetail, Tier } from '../../model/rule.js';
import { didYouMean } from '../../options/nearest-name.js';
import type { Queryable } from '../../postgres/db.js';
import { featuresOfTier } from '../policy/features.js';
import { findUnknownFeatures } from './find-unknown-features.js';

export interface Price {
  /** Amount in the smallest unit of the currency: with USD, 4900 means 49 dollars. */
  amountMinor: number;
  /** ISO 4217 currency code: three capital letters. */
  currency: string;
}

/** A stored tier. */
export interface TierRecord extends Tier {
  /** Price per month. Null if none is published. */
  monthlyPrice: Price | null;
  createdAt: Date;
  updatedAt: Date;
  /** Time of retirement. Null while the tier is in use. */
  retiredAt: Date | null;
}

interface TierRow {
  name: string;
  display_name: string;
  monthly_price_minor: number | null;
  price_currency: string | null;
  capacity: number | null;
  refill_amount: number | null;
  refill_period_ms: number | null;
  budget: CalendarBudget | null;
  max_cost_per_operation: number | null;
  max_nodes_per_operation: number | null;
  max_type_cost_per_operation: number | null;
  max_field_cost_per_operation: number | null;
  answer: AnswerDetail;
  is_default: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
  retired_at: Date | null;
}

const COLUMNS = `name, display_name, monthly_price_minor, price_currency, capacity, refill_amount, refill_period_ms, budget,
  max_cost_per_operation, max_nodes_per_operation, max_type_cost_per_operation, max_field_cost_per_operation,
  answer, is_default, version, created_at, updated_at, retired_at`;

/** Returns all tiers in use, ordered by name. */
export async function readTiers(on: Queryable): Promise<TierRecord[]> {
  const rows = await on.query<TierRow>(`select ${COLUMNS} from tiers where retired_at is null order by name`);
  return rows.map(toTier);
}

/** Returns a page of the tiers whose names sort after `after`, ordered by name. */
export async function readTierPage(
  on: Queryable,
  { retired = false }: { retired?: boolean | undefined },
  { after, limit }: { after: string; limit: number },
): Promise<TierRecord[]> {
  const rows = await on.query<TierRow>(
    `select ${COLUMNS} from tiers where name collate "C" > $1 and (retired_at is not null) = $2
     order by name collate "C" limit $3`,
    [after, retired, limit],
  );
  return rows.map(toTier);
}

/** Returns the tiers with these names, in use or retired, in no particular order. */
export async function readTiersByName(on: Queryable, names: readonly string[]): Promise<TierRecord[]> {
  const rows = await on.query<TierRow>(`select ${COLUMNS} from tiers where name = any($1::text[])`, [names]);
  return rows.map(toTier);
}

/** Returns the names of the tiers in use. */
export async function readTierNames(on: Queryable): Promise<Set<string>> {
  const rows = await on.query<{ name: string }>('select name from tiers where retired_at is null');
  return new Set(rows.map(({ name }) => name));
}

/** Returns the message for an unknown tier, with a suggestion if a known name is similar. */
export function noTierNamed(name: string, known: Iterable<string>): string {
  return `there is no tier named ${name}${didYouMean(name, known)}`;
}

/** Returns the names of the retired tiers. They cannot be used again. */
export async function readRetiredTierNames(on: Queryable): Promise<string[]> {
  const rows = await on.query<{ name: string }>('select name from tiers where retired_at is not null');
  return rows.map(({ name }) => name);
}

/** Returns the tier in use with this name. */
export async function readTier(on: Queryable, name: string): Promise<TierRecord | null> {
  const [row] = await on.query<TierRow>(`select ${COLUMNS} from tiers where name = $1 and retired_at is null`, [name]);
  return row ? toTier(row) : null;
}

export async function readDefaultTier(on: Queryable): Promise<TierRecord | null> {
  const [row] = await on.query<TierRow>(`select ${COLUMNS} from tiers where is_default`);
  return row ? toTier(row) : null;
}

/** Whether a tier has or had this name. A name cannot be used a second time. */
export async function isTierName(on: Queryable, name: string): Promise<boolean> {
  const rows = await on.query('select name from tiers where name = $1', [name]);
  return rows.length > 0;
}

export async function insertTier(on: Queryable, tier: TierRecord): Promise<TierRecord> {
  const [row] = await on.query<TierRow>(
    `insert into tiers (name, display_name, monthly_price_minor, price_currency, capacity, refill_amount,
       refill_period_ms, budget, max_cost_per_operation, max_nodes_per_operation, max_type_cost_per_operation,
       max_field_cost_per_operation, answer, is_default, needs)
     values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11, $12, $13, $14, $15::text[]) returning ${COLUMNS}`,
    toParameters(tier),
  );
  return toTier(row!);
}

/** Saves every attribute and increments the version. */
export async function saveTier(on: Queryable, tier: TierRecord): Promise<TierRecord> {
  const unknown = await findUnknownFeatures(on, 'tier', [tier.name]);
  if (unknown) throw new Error(unknown.message);
  const [row] = await on.query<TierRow>(
    `update tiers set display_name = $2, monthly_price_minor = $3, price_currency = $4, capacity = $5,
       refill_amount = $6, refill_period_ms = $7, budget = $8::jsonb, max_cost_per_operation = $9,
       max_nodes_per_operation = $10, max_type_cost_per_operation = $11, max_field_cost_per_operation = $12,
       answer = $13, is_default = $14, needs = $15::text[],
       version = version + 1, updated_at = now()
     where name = $1 returning ${COLUMNS}`,
    toParameters(tier),
  );
  return toTier(row!);
}

/** Retires the tier and increments its version. */
export async function retireTier(on: Queryable, name: string): Promise<TierRecord> {
  const [row] = await on.query<TierRow>(
    `update tiers set retired_at = now(), version = version + 1, updated_at = now() where name = $1 returning ${COLUMNS}`,
    [name],
  );
  return toTier(row!);
}

/** Whether both tiers would be stored with the same attributes. */
export function isSameTier(one: TierRecord, other: TierRecord): boolean {
  const values = toParameters(other);
  return toParameters(one).every((value, index) => value === values[index]);
}

function toTier(row: TierRow): TierRecord {
  return {
    name: row.name,
    displayName: row.display_name,
    monthlyPrice:
      row.monthly_price_minor === null || row.price_currency === null
        ? null
        : { amountMinor: row.monthly_price_minor, currency: row.price_currency },
    capacity: row.capacity,
    refillAmount: row.refill_amount,
    refillPeriodMs: row.refill_period_ms,
    budget: row.budget,
    maxCostPerOperation: row.max_cost_per_operation,
    maxNodesPerOperation: row.max_nodes_per_operation,
    maxTypeCostPerOperation: row.max_type_cost_per_operation,
    maxFieldCostPerOperation: row.max_field_cost_per_operation,
    answer: row.answer,
    isDefault: row.is_default,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    retiredAt: row.retired_at,
  };
}

function toParameters(tier: TierRecord) {
  return [
    tier.name,
    tier.displayName,
    tier.monthlyPrice?.amountMinor ?? null,
    tier.monthlyPrice?.currency ?? null,
    tier.capacity,
    tier.refillAmount,
    tier.refillPeriodMs,
    tier.budget === null ? null : inOneOrder(tier.budget),
    tier.maxCostPerOperation,
    tier.maxNodesPerOperation,
    tier.maxTypeCostPerOperation,
    tier.maxFieldCostPerOperation,
    tier.answer,
    tier.isDefault,
    `{${featuresOfTier(tier).join(',')}}`,
  ];
}

/** Prints a budget with its members in alphabetical order. PostgreSQL stores them in another order. */
function inOneOrder(budget: CalendarBudget): string {
  return JSON.stringify(budget, (_name, value: unknown) =>
    typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).sort()) : value,
  );
}
