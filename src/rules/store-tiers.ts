import type { Db, Tx } from '../store/db.js';
import type { Actor, ChangeLog, Recorder } from './store-changes.js';
import { type Outcome, refused, type UserError } from './store-outcome.js';
import {
  checkExact,
  checkTierCreate,
  checkTierUpdate,
  TIER_NAME,
  type TierAttributes,
  type TierCreate,
  type TierUpdate,
} from './store-tier-input.js';
import {
  insertTier,
  isSameTier,
  isTierName,
  readDefaultTier,
  readTier,
  readTiers,
  saveTier,
  type TierRecord,
} from './store-tier-rows.js';

export function createTierStore(db: Db, changes: ChangeLog) {
  const getTier = async (name: string): Promise<TierRecord | null> =>
    TIER_NAME.test(name) ? readTier(db, name) : null;

  return {
    /** All tiers in use, by name. */
    listTiers: (): Promise<TierRecord[]> => readTiers(db),

    /** The tier in use of that name. */
    getTier,

    async createTier(input: TierCreate, actor: Actor): Promise<Outcome<TierRecord>> {
      const errors = checkTierCreate(input);
      if (errors.length > 0) return refused(errors);
      return changes.write({ actor, comment: input.comment }, async (tx, record) => {
        if (await isTierName(tx, input.name))
          return refused([alreadyExists(input.name)], await readTier(tx, input.name));
        const tier = newTier(input);
        return { ok: true, value: input.dryRun ? tier : await addTier(tx, record, tier) };
      });
    },

    async updateTier(input: TierUpdate, actor: Actor): Promise<Outcome<TierRecord>> {
      const errors = checkTierUpdate(input);
      if (errors.length > 0) return refused(errors, await getTier(input.name));
      return changes.write({ actor, comment: input.comment }, async (tx, record) => {
        const before = await readTier(tx, input.name);
        if (!before) return refused([notFound(input.name)]);
        const { expectedVersion } = input;
        if (expectedVersion !== undefined && expectedVersion !== before.version) {
          return refused([stale(before.version, expectedVersion)], before);
        }
        const after = { ...before, ...givenAttributes(input) };
        const refusals = [...checkExact(after), ...checkDefault(before, after)];
        if (refusals.length > 0) return refused(refusals, before);
        if (isSameTier(before, after)) return { ok: true, value: before };
        if (input.dryRun) return { ok: true, value: { ...after, version: before.version + 1 } };
        if (after.isDefault && !before.isDefault) await takeDefaultAway(tx, record);
        return { ok: true, value: await changeTier(tx, record, before, after) };
      });
    },

    /**
     * Adds those of the tiers whose names do not exist yet. The others stay as they are, so that a restart never undoes
     * an admin's change, and a default tier that exists stays the default. Throws, with nothing added, when a tier is
     * invalid or when no tier would be the default.
     */
    async ensureTiers(tiers: readonly TierCreate[], actor: Actor): Promise<void> {
      const problems = tiers.flatMap((tier) =>
        checkTierCreate(tier).map(({ field, message }) => `tiers.${[tier.name, ...field].join('.')}: ${message}`),
      );
      if (tiers.filter(({ isDefault }) => isDefault).length > 1) problems.push('tiers: more than one is the default');
      if (problems.length > 0) throw new TypeError(problems.join('\n'));
      await changes.write({ actor }, async (tx, record) => {
        const hadDefault = (await readDefaultTier(tx)) !== null;
        for (const input of tiers) {
          if (await isTierName(tx, input.name)) continue;
          const tier = newTier(input);
          await addTier(tx, record, { ...tier, isDefault: tier.isDefault && !hadDefault });
        }
        if (!(await readDefaultTier(tx))) throw new TypeError('tiers: none is the default, exactly one must be');
      });
    },
  };
}

async function addTier(tx: Tx, record: Recorder, tier: TierRecord): Promise<TierRecord> {
  if (tier.isDefault) await takeDefaultAway(tx, record);
  const after = await insertTier(tx, tier);
  await record({ entity: 'TIER', key: tier.name, action: 'CREATE', before: null, after });
  return after;
}

async function changeTier(tx: Tx, record: Recorder, before: TierRecord, next: TierRecord): Promise<TierRecord> {
  const after = await saveTier(tx, next);
  await record({ entity: 'TIER', key: before.name, action: 'UPDATE', before, after });
  return after;
}

async function takeDefaultAway(tx: Tx, record: Recorder): Promise<void> {
  const current = await readDefaultTier(tx);
  if (current) await changeTier(tx, record, current, { ...current, isDefault: false });
}

function newTier(input: TierCreate): TierRecord {
  const now = new Date();
  return {
    name: input.name,
    displayName: input.displayName ?? input.name,
    monthlyPrice: input.monthlyPrice ?? null,
    capacity: input.capacity,
    refillAmount: input.refillAmount,
    refillPeriodMs: input.refillPeriodMs,
    maxCostPerOperation: input.maxCostPerOperation ?? null,
    isDefault: input.isDefault ?? false,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

type Given = { [Key in keyof TierAttributes]: Exclude<TierAttributes[Key], undefined> };

/** The attributes that the input sets: left out and undefined are the same. */
function givenAttributes(input: TierUpdate): Given {
  const { name, comment, dryRun, expectedVersion, ...attributes } = input;
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

function checkDefault(before: TierRecord, after: TierRecord): UserError[] {
  if (!before.isDefault || after.isDefault) return [];
  const message = `${before.name} is the default tier: make another tier the default instead`;
  return [{ code: 'INVALID', field: ['isDefault'], message }];
}

function notFound(name: string): UserError {
  return { code: 'NOT_FOUND', field: ['name'], message: `there is no tier named ${name}` };
}

function alreadyExists(name: string): UserError {
  return { code: 'ALREADY_EXISTS', field: ['name'], message: `there is, or was, a tier named ${name}` };
}

function stale(version: number, expected: number): UserError {
  const message = `the tier was changed by somebody else: expected version ${expected}, it is at ${version}`;
  return { code: 'STALE_VERSION', field: ['expectedVersion'], message };
}
