import type { z } from 'zod';
import { type CalendarBudget, LONGEST_PERIOD_MS } from '../../model/limit-parameters.js';
import type { Connections, Tx } from '../../postgres/db.js';
import { alikeNames, alikeWarning } from '../policy/alike-names.js';
import { differencesOf } from '../policy/difference.js';
import { featuresOfTier } from '../policy/features.js';
import { NEEDED_REFILL, TIER_NAME, type TierInput, tierAttributes, tierInput } from '../policy/tier-input.js';
import { calendarWarnings } from './calendar-warnings.js';
import type { Actor, ChangeLog, Recorder } from './create-change-log.js';
import { createOnce } from './create-once.js';
import { editRow } from './edit-row.js';
import { findUnknownFeatures } from './find-unknown-features.js';
import {
  type CreateOptions,
  done,
  type Outcome,
  rejected,
  splitOptions,
  toUserErrors,
  type UpdateOptions,
  type UserError,
} from './outcome.js';
import {
  insertTier,
  isSameTier,
  isTierName,
  noTierNamed,
  readDefaultTier,
  readTier,
  readTierNames,
  readTierPage,
  readTiers,
  readTiersByName,
  retireTier,
  saveTier,
  type TierRecord,
} from './tier-record.js';
import { EFFECT_OF_TIER, warningsOfInstances } from './warnings-of-instances.js';

export type TierCreate = TierInput & CreateOptions;

/** Changes to a tier. Absent fields keep their values. */
type TierUpdate = { name: string } & { [Name in keyof TierInput]?: TierInput[Name] | undefined } & UpdateOptions;

export interface TierReference extends UpdateOptions {
  name: string;
}

/** Fields that do not count as a difference between two versions of a tier. */
const BOOKKEEPING = ['version', 'createdAt', 'updatedAt'];

/** Returns the functions that read tiers. */
function tierReads(db: Connections) {
  return {
    /** Returns all tiers in use, ordered by name. */
    listTiers: (): Promise<TierRecord[]> => readTiers(db),

    /** Returns the tier in use with this name. */
    getTier: async (name: string): Promise<TierRecord | null> => (TIER_NAME.test(name) ? readTier(db, name) : null),

    /** Returns a page of tiers, ordered by name. */
    pageTiers: (filter: { retired?: boolean | undefined }, page: { after: string; limit: number }) =>
      readTierPage(db, filter, page),

    /** Returns the tiers with these names, in use or retired, in no particular order. */
    tiersByName: (names: readonly string[]) =>
      readTiersByName(
        db,
        names.filter((name) => TIER_NAME.test(name)),
      ),
  };
}

export function createTierStore(db: Connections, changes: ChangeLog) {
  const reads = tierReads(db);

  return {
    ...reads,

    async createTier(input: TierCreate, actor: Actor): Promise<Outcome<TierRecord>> {
      const { options, attributes, error } = splitOptions(input);
      const parsed = parseTier(attributes);
      if (error || !parsed.ok) return rejected([...(error ? toUserErrors(error) : []), ...(parsed.errors ?? [])]);
      const { dryRun, idempotencyKey } = options;
      const { tier } = parsed;
      return changes.write({ actor, comment: options.comment, locks: 'BOTH' }, (tx, record) =>
        createOnce<TierRecord>(
          tx,
          { actor, idempotencyKey, dryRun, operation: 'tier', attributes },
          (name) => readTier(tx, name),
          ({ name }) => name,
          async () => {
            if (await isTierName(tx, tier.name)) {
              return rejected([alreadyExists(tier.name)], await readTier(tx, tier.name));
            }
            const alike = alikeNames(tier.name, await readTierNames(tx));
            const effects = {
              differences: differencesOf(null, tier, [...BOOKKEEPING, 'retiredAt']),
              warnings: [
                ...newTierWarnings(tier, { alike, hasDefault: (await readDefaultTier(tx)) !== null }),
                ...(await warningsOfInstances(tx, featuresOfTier(tier), EFFECT_OF_TIER)),
              ],
            };
            return done(dryRun ? tier : await addTier(tx, record, tier), effects);
          },
        ),
      );
    },

    async updateTier(input: TierUpdate, actor: Actor): Promise<Outcome<TierRecord>> {
      const { options, attributes, error } = splitOptions(input);
      const wrong = [...(error ? toUserErrors(error) : []), ...checkMembers(attributes)];
      if (wrong.length > 0) return rejected(wrong, await reads.getTier(input.name));
      return editRow(changes, targetOf(input.name, actor, options), async (before, tx, record) => {
        const unknown = await findUnknownFeatures(tx, 'tier', [input.name]);
        if (unknown) return rejected([unknown], before);
        const { version, createdAt, updatedAt, retiredAt, ...current } = before;
        const parsed = parseTier(merge(current, attributes));
        if (!parsed.ok) return rejected(parsed.errors, before);
        const after = { ...parsed.tier, version, createdAt, updatedAt, retiredAt };
        const rejections = checkDefault(before, after);
        if (rejections.length > 0) return rejected(rejections, before);
        if (isSameTier(before, after)) return done(before);
        const effects = effectsOf(before, after);
        effects.warnings.push(...(await warningsOfInstances(tx, featuresOfTier(after), EFFECT_OF_TIER)));
        if (options.dryRun) return done({ ...after, version: version + 1 }, effects);
        if (after.isDefault && !before.isDefault) await takeDefaultAway(tx, record);
        return done(await changeTier(tx, record, before, after), effects);
      });
    },

    /**
     * Retires a tier permanently: its name cannot be used again. Fails with `IN_USE` while it is
     * the default tier, or while a rule, user or tenant names it.
     */
    async retireTier({ name, ...input }: TierReference, actor: Actor): Promise<Outcome<TierRecord>> {
      const { options, error } = splitOptions(input);
      if (error) return rejected(toUserErrors(error), await reads.getTier(name));
      return editRow(changes, targetOf(name, actor, options), async (before, tx, record) => {
        const uses = await usesOf(tx, before);
        if (uses.length > 0) return rejected(uses, before);
        const retired = { ...before, version: before.version + 1, retiredAt: new Date() };
        const effects = { differences: differencesOf(before, retired, BOOKKEEPING) };
        if (options.dryRun) return done(retired, effects);
        const after = await retireTier(tx, name);
        await record({ entity: 'TIER', key: name, action: 'RETIRE', before, after });
        return done(after, effects);
      });
    },

    /**
     * Adds the tiers whose names do not exist yet. Existing tiers do not change, so that a restart
     * never undoes an administrator's change. An existing default tier stays the default. Nothing
     * is added if a tier is invalid or if no tier would be the default.
     * @throws TypeError if a tier is invalid, more than one is the default, or none would be
     */
    async ensureTiers(tiers: readonly TierInput[], actor: Actor): Promise<void> {
      const parsed = tiers.map((tier) => ({ name: tier.name, ...parseTier(tier) }));
      const problems = parsed.flatMap((one) =>
        one.ok ? [] : one.errors.map(({ field, message }) => `tiers.${[one.name, ...field].join('.')}: ${message}`),
      );
      if (tiers.filter(({ isDefault }) => isDefault).length > 1)
        problems.push('tiers: expected one default tier, got several');
      if (problems.length > 0) throw new TypeError(problems.join('\n'));
      await changes.write({ actor, locks: 'BOTH' }, async (tx, record) => {
        const hadDefault = (await readDefaultTier(tx)) !== null;
        for (const one of parsed) {
          if (!one.ok || (await isTierName(tx, one.tier.name))) continue;
          const { tier } = one;
          await addTier(tx, record, { ...tier, isDefault: tier.isDefault && !hadDefault });
        }
        if (!(await readDefaultTier(tx))) throw new TypeError('tiers: expected one default tier, got none');
      });
    },
  };
}

export async function addTier(tx: Tx, record: Recorder, tier: TierRecord): Promise<TierRecord> {
  if (tier.isDefault) await takeDefaultAway(tx, record);
  const after = await insertTier(tx, tier);
  await record({ entity: 'TIER', key: tier.name, action: 'CREATE', before: null, after });
  return after;
}

export async function changeTier(tx: Tx, record: Recorder, before: TierRecord, next: TierRecord): Promise<TierRecord> {
  const after = await saveTier(tx, next);
  await record({ entity: 'TIER', key: before.name, action: 'UPDATE', before, after });
  return after;
}

/** Updates the current default tier, if there is one, so that it is no longer the default. */
export async function takeDefaultAway(tx: Tx, record: Recorder): Promise<void> {
  const current = await readDefaultTier(tx);
  if (current) await changeTier(tx, record, current, { ...current, isDefault: false });
}

/**
 * Merges the given members into the current ones. A tier that loses its bucket also loses its
 * refill, and a new bucket has the default period.
 */
function merge(
  { refillAmount, refillPeriodMs, ...current }: Omit<TierRecord, 'version' | 'createdAt' | 'updatedAt' | 'retiredAt'>,
  given: object,
): object {
  const hasBucket = 'capacity' in given ? given.capacity !== null : current.capacity !== null;
  const refill = { ...(refillAmount !== null && { refillAmount }), ...(refillPeriodMs !== null && { refillPeriodMs }) };
  return { ...current, ...(hasBucket && refill), ...given };
}

type ParsedTier = { ok: true; tier: TierRecord; errors?: never } | { ok: false; errors: UserError[] };

/** Parses a new tier from its input form. */
function parseTier(input: unknown): ParsedTier {
  const result = tierInput.safeParse(input);
  if (!result.success) return { ok: false, errors: toUserErrors(result.error) };
  return { ok: true, tier: tierOf(result.data) };
}

export function tierOf(input: z.output<typeof tierInput>): TierRecord {
  const now = new Date();
  return { ...tierAttributes(input), version: 1, createdAt: now, updatedAt: now, retiredAt: null };
}

/** Returns the mistakes in single members, and the lack of a refill for a given capacity. */
function checkMembers(attributes: object): UserError[] {
  const members = tierInput.shape;
  const hasCapacity = 'capacity' in attributes && attributes.capacity !== null;
  return Object.entries(attributes).flatMap(([name, value]) => {
    // Only a tier without a capacity has no refill.
    if (hasCapacity && value === null && Object.hasOwn(NEEDED_REFILL, name))
      return [{ code: 'INVALID' as const, field: [name], message: NEEDED_REFILL[name as keyof typeof NEEDED_REFILL] }];
    if (!Object.hasOwn(members, name))
      return [{ code: 'INVALID' as const, field: [], message: `unknown member ${name}` }];
    const { error } = members[name as keyof typeof members].safeParse(value);
    return error ? toUserErrors(error).map((one) => ({ ...one, field: [name, ...one.field] })) : [];
  });
}

function effectsOf(before: TierRecord, after: TierRecord) {
  return { differences: differencesOf(before, after, BOOKKEEPING), warnings: tierWarnings(before, after) };
}

/** Returns warnings about effects of a new tier that may be unintended. */
export function newTierWarnings(
  tier: TierRecord,
  { alike, hasDefault }: { alike: readonly string[]; hasDefault: boolean },
): string[] {
  return [
    ...(alike.length === 0 ? [] : [alikeWarning('tier', tier.name, alike)]),
    ...(tier.isDefault && hasDefault ? [NEW_DEFAULT] : []),
    ...idleBudget(tier),
    ...(isUnlimitedDefault(tier) ? [UNLIMITED_DEFAULT] : []),
  ];
}

const UNLIMITED = 'no bucket limits the callers of this tier any more';
const UNLIMITED_DEFAULT =
  'callers without an assigned tier have neither a bucket nor a budget: only rules and maxima limit them';

function isUnlimitedDefault({ isDefault, capacity, budget }: TierRecord): boolean {
  return isDefault && capacity === null && budget === null;
}

const NEW_DEFAULT = 'all callers without an assigned tier are on this tier from now on';

/** Returns warnings about effects of a tier's edit that may be unintended. */
export function tierWarnings(before: TierRecord, after: TierRecord): string[] {
  const warnings: string[] = [];
  if (after.capacity === null && before.capacity !== null) {
    warnings.push(`${UNLIMITED}; their usage is still recorded`);
  } else if (before.capacity === null && after.capacity !== null) {
    warnings.push('the callers of this tier get a bucket: it counts only what they spend from now on');
  } else if (after.capacity !== null && before.capacity !== null && after.capacity < before.capacity) {
    warnings.push(
      'the bucket gets smaller: spent tokens stay spent, so some callers may have nothing left for a while',
    );
  }
  if (after.isDefault && !before.isDefault) {
    warnings.push(NEW_DEFAULT);
  }
  if (isUnlimitedDefault(after) && !isUnlimitedDefault(before)) warnings.push(UNLIMITED_DEFAULT);
  return [...warnings, ...budgetWarnings(before.budget, after.budget), ...idleBudget(after)];
}

function budgetWarnings(before: CalendarBudget | null, after: CalendarBudget | null): string[] {
  if (before === null) return [];
  if (after === null) return ['callers of the tier have no budget from now on'];
  return calendarWarnings(before, after);
}

/** Returns a warning if the bucket of the tier refills too slowly to use up the budget. */
function idleBudget({ budget, capacity, refillAmount, refillPeriodMs }: TierRecord): string[] {
  // Without a bucket, the budget is the only limit of the tier.
  if (budget === null || capacity === null || refillAmount === null || refillPeriodMs === null) return [];
  const most = Math.floor(capacity + (LONGEST_PERIOD_MS[budget.every] / refillPeriodMs) * refillAmount);
  if (most >= (budget.hardCap ?? budget.amount)) return [];
  return [`the budget has no effect: the bucket admits at most ${most} tokens in a period`];
}

/**
 * Returns an error for each use that prevents the tier's retirement: as default, by an assignment,
 * or by a rule.
 */
export async function usesOf(tx: Tx, { name, isDefault }: TierRecord): Promise<UserError[]> {
  const inUse = (message: string): UserError => ({ code: 'IN_USE', field: ['name'], message });
  const rules = await tx.query<{ name: string }>(
    `select r.name from rules r join rule_tiers t on t.rule_id = r.id
     where t.tier = $1 and r.retired_at is null order by r.name`,
    [name],
  );
  return [
    ...(isDefault ? [inUse(`${name} is the default tier: make another tier the default first`)] : []),
    ...(await assignmentsOf(tx, name)).map(inUse),
    ...rules.map((rule) => inUse(`the rule ${rule.name} names ${name}: change it first`)),
  ];
}

/**
 * Returns a message if users or tenants are assigned to the tier, because it then cannot be
 * retired. Returns an empty list otherwise.
 */
export async function assignmentsOf(tx: Tx, tier: string): Promise<string[]> {
  const [row] = await tx.query<{ count: number }>('select count(*) as count from subjects where tier = $1', [tier]);
  const { count } = row!;
  if (count === 0) return [];
  const who = count === 1 ? 'a user or tenant is' : `${count} users or tenants are`;
  return [`${who} on ${tier}: assign ${count === 1 ? 'it' : 'them'} another tier first`];
}

function checkDefault(before: TierRecord, after: TierRecord): UserError[] {
  if (!before.isDefault || after.isDefault) return [];
  const message = `${before.name} is the default tier: make another tier the default tier`;
  return [{ code: 'INVALID', field: ['isDefault'], message }];
}

function notFound(name: string, known: ReadonlySet<string>): UserError {
  return { code: 'NOT_FOUND', field: ['name'], message: noTierNamed(name, known) };
}

function alreadyExists(name: string): UserError {
  return {
    code: 'ALREADY_EXISTS',
    field: ['name'],
    message: `there is, or was, a tier named ${name}: choose another name`,
  };
}

function targetOf(name: string, actor: Actor, { comment, expectedVersion }: UpdateOptions) {
  return {
    kind: 'tier',
    actor,
    comment,
    locks: 'BOTH',
    expectedVersion,
    read: async (tx: Tx) => (TIER_NAME.test(name) ? readTier(tx, name) : null),
    missing: async (tx: Tx) => notFound(name, await readTierNames(tx)),
  } as const;
}
