import { z } from 'zod';
import { tierName } from '../policy/tier-input.js';
import type { Actor, ChangeLog } from './create-change-log.js';
import { staleVersion } from './edit-row.js';
import {
  type ChangeOptions,
  changeOptions,
  done,
  type Outcome,
  rejected,
  toUserErrors,
  type UserError,
  updateOptions,
} from './outcome.js';
import { checkIdentified, type SubjectKey, subjectKeyFields } from './subject-key.js';
import { assignStoredTiers, readSubjectsOf, type SubjectRecord } from './subject-record.js';
import { noTierNamed, readTiers } from './tier-record.js';

/** The tier to assign to one user or tenant. */
export interface TierAssignment extends SubjectKey {
  /** Name of the tier. Null removes the assignment. */
  tier: string | null;
  expectedVersion?: number | undefined;
}

export interface TierAssignments extends ChangeOptions {
  assignments: readonly TierAssignment[];
}

/**
 * Numbers of users and tenants. `assigned` counts those whose tier changed, including the `created`
 * ones, which were not stored before. `unchanged` counts those that already had the tier.
 */
export interface AssignedTiers {
  assigned: number;
  created: number;
  unchanged: number;
}

/**
 * Maximum number of assignments per request. All other changes of the platform wait for this
 * transaction. With a few hundred assignments, it takes a fraction of a second.
 */
const MAX_ASSIGNMENTS = 500;

const inputSchema = z.strictObject({
  ...changeOptions,
  assignments: z
    .array(
      z.strictObject({
        ...subjectKeyFields,
        tier: tierName.nullable(),
        expectedVersion: updateOptions.expectedVersion,
      }),
    )
    .min(1, `expected 1 to ${MAX_ASSIGNMENTS} assignments`)
    .max(MAX_ASSIGNMENTS, `expected 1 to ${MAX_ASSIGNMENTS} assignments`),
});

/**
 * Assigns tiers to many users and tenants, either all of them or none. The number of statements
 * does not depend on the number of assignments.
 */
export function createTierAssignment(changes: Pick<ChangeLog, 'write'>) {
  return async (input: TierAssignments, actor: Actor): Promise<Outcome<AssignedTiers>> => {
    const errors = check(input);
    if (errors.length > 0) return rejected(errors);
    const { assignments, dryRun, comment } = input;
    return changes.write({ actor, comment }, async (tx, record): Promise<Outcome<AssignedTiers>> => {
      const keys = assignments.map(({ user = null, tenant = null }) => ({ user, tenant }));
      const stored = new Map((await readSubjectsOf(tx, keys)).map((row) => [nameOf(row), row]));
      const tiers = new Set((await readTiers(tx)).map(({ name }) => name));
      const wrong = assignments.flatMap((one, index) => rejectionsOf(one, index, stored.get(nameOf(one)), tiers));
      if (wrong.length > 0) return rejected(wrong);

      const isNews = (one: TierAssignment) => {
        const before = stored.get(nameOf(one));
        return before === undefined || before.tier !== one.tier;
      };
      const news = assignments.filter(isNews);
      const created = news.filter((one) => !stored.has(nameOf(one))).length;
      const outcome = { assigned: news.length, created, unchanged: assignments.length - news.length };
      const differences = assignments.flatMap((one, index) => {
        const before = stored.get(nameOf(one))?.tier ?? null;
        if (before === one.tier) return [];
        return [{ path: `assignments[${index}].tier`, before: json(before), after: json(one.tier) }];
      });
      const warnings =
        created > 0
          ? [`${created} users or tenants were not stored before: check their ids; subjectDelete deletes them again`]
          : [];
      if (dryRun || news.length === 0) return done(outcome, { differences, warnings });
      const after = await assignStoredTiers(tx, news);
      await record(
        after.map((row) => {
          const before = stored.get(nameOf(row)) ?? null;
          const action = before ? ('UPDATE' as const) : ('CREATE' as const);
          return { entity: 'SUBJECT' as const, key: String(row.id), action, before, after: row };
        }),
      );
      return done(outcome, { differences, warnings });
    });
  };
}

function check(input: TierAssignments): UserError[] {
  const { error } = inputSchema.safeParse(input);
  if (error) return toUserErrors(error);
  const seen = new Map<string, number>();
  return input.assignments.flatMap((one, index) => {
    const first = seen.get(nameOf(one));
    seen.set(nameOf(one), first ?? index);
    if (first !== undefined) return [at(index, [], 'INVALID', `repeats the user or tenant of assignments[${first}]`)];
    return checkIdentified(one).map(({ code, field, message }) => at(index, field, code, message));
  });
}

function rejectionsOf(
  { tier, expectedVersion }: TierAssignment,
  index: number,
  stored: SubjectRecord | undefined,
  tiers: ReadonlySet<string>,
): UserError[] {
  const errors: UserError[] = [];
  if (tier !== null && !tiers.has(tier)) {
    errors.push(at(index, ['tier'], 'INVALID', noTierNamed(tier, tiers)));
  }
  const stale = staleVersion('subject', stored ?? null, expectedVersion);
  if (stale) errors.push(at(index, stale.field, stale.code, stale.message));
  return errors;
}

function at(index: number, field: readonly string[], code: UserError['code'], message: string): UserError {
  return { code, field: ['assignments', String(index), ...field], message };
}

function nameOf({ user, tenant }: { user?: string | null | undefined; tenant?: string | null | undefined }): string {
  return JSON.stringify([tenant ?? '', user ?? '']);
}

function json(tier: string | null): string | null {
  return tier === null ? null : JSON.stringify(tier);
}
