import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { CalendarBudget } from '../../../src/model/limit-parameters.js';
import { type Db, sqlStateOf } from '../../../src/postgres/db.js';
import { tierInput } from '../../../src/rules/policy/tier-input.js';
import type { Actor, ChangeNotice } from '../../../src/rules/store/create-change-log.js';
import type { TierCreate } from '../../../src/rules/store/create-tier-store.js';
import { createRulesStore, type RulesStore } from '../../../src/rules/store/rules-store.js';
import { DATABASES, migrateAfresh, type TestDatabase } from '../../postgres/databases.js';

const ADMIN: Actor = { name: 'ann', authMethod: 'ADMIN_TOKEN' };
const SYSTEM: Actor = { name: 'test', authMethod: 'SYSTEM' };
const FREE: TierCreate = { name: 'free', capacity: 1000, refillAmount: 50, refillPeriodMs: 1000, isDefault: true };
const PRO: TierCreate = { name: 'pro', displayName: 'Pro', capacity: 5000, refillAmount: 250, refillPeriodMs: 1000 };

describe.each(DATABASES)('stored tiers on $database', ({ openDatabase }) => {
  let opened: TestDatabase;
  let db: Db;
  let store: RulesStore;
  beforeAll(async () => {
    opened = await openDatabase();
    db = opened.db;
  });
  afterAll(() => opened.dispose());
  beforeEach(async () => {
    await migrateAfresh(db);
    store = createRulesStore(db);
    await store.ensureTiers([FREE, PRO], SYSTEM);
  });

  const changesAfter = (number: number) =>
    db.query<Record<string, unknown>>(
      `select number, entity, entity_key as key, action, actor, auth_method, comment,
         before ->> 'capacity' as before, after ->> 'capacity' as after
       from changes where number > $1 order by number`,
      [number],
    );

  describe('ensureTiers', () => {
    it('ensureTiers adds tiers with their defaults and records the actor', async () => {
      expect(await store.listTiers()).toMatchObject([
        { ...FREE, displayName: 'free', monthlyPrice: null, maxCostPerOperation: null, answer: 'BRIEF', version: 1 },
        { ...PRO, isDefault: false, version: 1 },
      ]);
      expect(await changesAfter(0)).toMatchObject([
        { entity: 'TIER', key: 'free', action: 'CREATE', actor: 'test', auth_method: 'SYSTEM', after: '1000' },
        { entity: 'TIER', key: 'pro', action: 'CREATE', before: null, after: '5000' },
      ]);
    });

    it('ensureTiers keeps the changes of an administrator when the process starts again', async () => {
      await store.updateTier({ name: 'free', capacity: 7 }, ADMIN);
      await store.updateTier({ name: 'pro', isDefault: true }, ADMIN);
      const before = await store.listTiers();
      const number = await store.latestChange();
      await store.ensureTiers([FREE, PRO], SYSTEM);
      expect(await store.listTiers()).toEqual(before);
      expect(await store.latestChange()).toBe(number);
      await store.ensureTiers([{ ...FREE, name: 'new', isDefault: true }], SYSTEM);
      expect(await store.getTier('new')).toMatchObject({ isDefault: false });
    });

    it('ensureTiers adds each tier once if several processes start at the same time', async () => {
      const tiers = ['a', 'b', 'c'].map((name) => ({ ...PRO, name }));
      const number = await store.latestChange();
      await Promise.all(Array.from({ length: 5 }, () => createRulesStore(db).ensureTiers(tiers, SYSTEM)));
      expect((await changesAfter(number)).map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    });

    it('ensureTiers reports all mistakes in one error and adds nothing', async () => {
      const bad = { ...PRO, name: 'bad', capacity: Number.NaN, refillAmount: (() => 1) as never, refillAmont: 1 };
      const attempt = store.ensureTiers([{ ...FREE, name: 'good' }, bad, { ...FREE, name: 'other' }], SYSTEM);
      await expect(attempt).rejects.toThrow(
        [
          'tiers.bad.capacity: expected a whole number from 1 to 2147483647, or null, got NaN',
          'tiers.bad.refillAmount: expected a whole number from 1 to 2147483647, or null, got function',
          'tiers.bad: Unrecognized key: "refillAmont"; did you mean refillAmount?',
          'tiers: expected one default tier, got several',
        ].join('\n'),
      );
      expect(await store.getTier('good')).toBeNull();
    });

    it('ensureTiers rejects tiers without a default', async () => {
      await migrateAfresh(db);
      await expect(store.ensureTiers([PRO], SYSTEM)).rejects.toThrow('expected one default tier, got none');
      expect(await store.listTiers()).toEqual([]);
    });
  });

  describe('updateTier', () => {
    it('updateTier changes only the given members, and records the change in the same transaction', async () => {
      const number = await store.latestChange();
      const outcome = await store.updateTier(
        {
          name: 'pro',
          capacity: 9,
          maxCostPerOperation: 8,
          monthlyPrice: { amountMinor: 4900, currency: 'USD' },
          comment: 'deal',
        },
        ADMIN,
      );
      const expected = {
        name: 'pro',
        displayName: 'Pro',
        capacity: 9,
        refillAmount: 250,
        refillPeriodMs: 1000,
        maxCostPerOperation: 8,
        monthlyPrice: { amountMinor: 4900, currency: 'USD' },
        isDefault: false,
        version: 2,
      };
      expect(outcome).toMatchObject({ ok: true, value: expected });
      expect(await store.getTier('pro')).toMatchObject(expected);
      expect(await changesAfter(number)).toEqual([
        {
          number: expect.any(Number),
          entity: 'TIER',
          key: 'pro',
          action: 'UPDATE',
          actor: 'ann',
          auth_method: 'ADMIN_TOKEN',
          comment: 'deal',
          before: '5000',
          after: '9',
        },
      ]);
    });

    it('updateTier accepts the three values of `answer`, and the table accepts no others', async () => {
      expect(await store.updateTier({ name: 'pro', answer: 'NONE' }, ADMIN)).toMatchObject({ ok: true });
      expect(await store.getTier('pro')).toMatchObject({ answer: 'NONE', capacity: 5000 });
      const wrong = await store.updateTier({ name: 'pro', answer: 'SHORT' as never }, ADMIN);
      expect(wrong).toMatchObject({
        ok: false,
        userErrors: [{ field: ['answer'], message: expect.stringContaining('BRIEF, FULL, NONE') }],
      });
      await expect(db.query(`update tiers set answer = 'SHORT'`)).rejects.toSatisfy(
        (error) => sqlStateOf(error) === '23514',
      );
    });

    it('updateTier changes nothing if the change cannot be recorded', async () => {
      await db.query(`create function reject_change() returns trigger language plpgsql as
        $$ begin raise exception 'disk full'; end $$`);
      await db.query('create trigger reject_change before insert on changes execute function reject_change()');
      onTestFinished(async () => void (await db.query('drop function reject_change cascade')));
      await expect(store.updateTier({ name: 'pro', capacity: 9 }, ADMIN)).rejects.toThrow('disk full');
      expect(await store.getTier('pro')).toMatchObject({ capacity: 5000, version: 1 });
    });

    it('updateTier sets optional members to null', async () => {
      await store.updateTier(
        { name: 'pro', maxCostPerOperation: 8, monthlyPrice: { amountMinor: 1, currency: 'EUR' } },
        ADMIN,
      );
      await store.updateTier({ name: 'pro', maxCostPerOperation: null, monthlyPrice: null }, ADMIN);
      expect(await store.getTier('pro')).toMatchObject({ maxCostPerOperation: null, monthlyPrice: null, version: 3 });
    });

    it('updateTier reports all mistakes of the input together', async () => {
      const input = {
        name: 'pro',
        displayName: '',
        capacity: 0.5,
        refillAmount: Number.POSITIVE_INFINITY,
        refillPeriodMs: 0,
        maxCostPerOperation: 2 ** 31,
        monthlyPrice: { amountMinor: -1, currency: 'dollars' },
        isDefault: null as never,
        expectedVersion: 0,
        comment: 'x\0',
      };
      const outcome = await store.updateTier(input, ADMIN);
      const userErrors = outcome.ok ? [] : outcome.userErrors;
      expect(userErrors.map(({ field }) => field.join('.')).sort()).toEqual(
        Object.keys(input)
          .filter((key) => key !== 'name' && key !== 'monthlyPrice')
          .concat('monthlyPrice.amountMinor', 'monthlyPrice.currency')
          .sort(),
      );
      expect(userErrors).toContainEqual({
        code: 'INVALID',
        field: ['maxCostPerOperation'],
        message: 'expected a whole number from 1 to 2147483647, or null, got 2147483648',
      });
    });

    it('a tier can be created without a bucket, can get one, and can lose it again', async () => {
      await store.createTier({ name: 'internal', capacity: null }, ADMIN);
      const none = { capacity: null, refillAmount: null, refillPeriodMs: null };
      expect(await store.getTier('internal')).toMatchObject(none);
      const tooLittle = await store.updateTier({ name: 'internal', capacity: 10 }, ADMIN);
      expect(tooLittle).toMatchObject({ ok: false, userErrors: [{ field: ['refillAmount'] }] });
      expect(await store.updateTier({ name: 'internal', capacity: 10, refillAmount: 2 }, ADMIN)).toMatchObject({
        warnings: ['the callers of this tier get a bucket: it counts only what they spend from now on'],
      });
      const bucket = { capacity: 10, refillAmount: 2, refillPeriodMs: 1000 };
      expect(await store.getTier('internal')).toMatchObject(bucket);
      const wrong = await store.updateTier({ name: 'internal', capacity: null, refillAmount: 3 }, ADMIN);
      expect(wrong).toMatchObject({
        userErrors: [{ field: ['refillAmount'], message: 'has no effect without a capacity: remove it' }],
      });
      expect(await store.updateTier({ name: 'internal', capacity: null }, ADMIN)).toMatchObject({
        differences: [
          { path: 'capacity', before: '10', after: null },
          { path: 'refillAmount' },
          { path: 'refillPeriodMs' },
        ],
        warnings: ['no bucket limits the callers of this tier any more; their usage is still recorded'],
      });
      expect(await store.getTier('internal')).toMatchObject(none);
      expect(await store.updateTier({ name: 'internal', isDefault: true, dryRun: true }, ADMIN)).toMatchObject({
        warnings: [
          'all callers without an assigned tier are on this tier from now on',
          'callers without an assigned tier have neither a bucket nor a budget: only rules and maxima limit them',
        ],
      });
    });

    it('updateTier warns if the default tier loses its last limit, a budget', async () => {
      const budget = { amount: 1000, every: 'DAY' } as const;
      await store.createTier({ name: 'budgeted', capacity: null, budget, isDefault: true }, ADMIN);
      expect(await store.updateTier({ name: 'budgeted', budget: null, dryRun: true }, ADMIN)).toMatchObject({
        warnings: [
          'callers without an assigned tier have neither a bucket nor a budget: only rules and maxima limit them',
          'callers of the tier have no budget from now on',
        ],
      });
    });

    it.each([
      [{ capacity: 'unlimited' }, 'capacity: expected a whole number from 1 to 2147483647, or null, got "unlimited"'],
      [{ capacity: 0 }, 'capacity: expected a whole number from 1 to 2147483647, or null, got 0'],
      [{}, 'capacity: expected a whole number from 1 to 2147483647, or null, got undefined'],
      [{ capacity: 5 }, 'refillAmount: expected a whole number from 1 to 2147483647, because the tier has a capacity'],
      [{ capacity: 5, refillAmount: null }, 'refillAmount: expected a whole number from 1 to 2147483647, because'],
      [{ capacity: 5, refillAmount: 1, refillPeriodMs: null }, 'refillPeriodMs: expected a whole number from 1 to'],
      [{ capacity: null, refillAmount: 5 }, 'refillAmount: has no effect without a capacity: remove it'],
      [{ capacity: null, refillPeriodMs: 60_000 }, 'refillPeriodMs: has no effect without a capacity: remove it'],
    ])('a tier with %j is rejected with a message that names the member', async (members, message) => {
      const outcome = await store.createTier({ name: 'wrong', ...members } as TierCreate, ADMIN);
      const errors = outcome.ok ? [] : outcome.userErrors;
      expect(errors.map((error) => `${error.field.join('.')}: ${error.message}`).join('\n')).toContain(message);
    });

    it('updateTier rejects a bucket that the limiter cannot count exactly', async () => {
      // The refill is large, so that these buckets do not take too long to fill.
      await store.updateTier({ name: 'pro', capacity: 2 ** 31 - 1, refillAmount: 4096 }, ADMIN);
      expect(await store.updateTier({ name: 'pro', refillPeriodMs: 2 ** 21 + 1 }, ADMIN)).toMatchObject({
        ok: false,
        current: { refillPeriodMs: 1000 },
        userErrors: [{ code: 'INVALID', field: ['refillPeriodMs'] }],
      });
      expect(await store.updateTier({ name: 'pro', refillPeriodMs: 2 ** 21 }, ADMIN)).toMatchObject({ ok: true });
    });

    it('updateTier rejects a bucket that takes more than 34 years to fill', async () => {
      const bucket = { name: 'pro', capacity: 2 ** 31 - 1, refillAmount: 1 };
      expect(await store.updateTier({ ...bucket, refillPeriodMs: 513 }, ADMIN)).toMatchObject({
        ok: false,
        current: { refillPeriodMs: 1000 },
        userErrors: [{ code: 'INVALID', field: ['refillPeriodMs'] }],
      });
      expect(await store.updateTier({ ...bucket, refillPeriodMs: 512 }, ADMIN)).toMatchObject({ ok: true });
    });

    it('updateTier returns NOT_FOUND for an unknown tier', async () => {
      expect(await store.updateTier({ name: 'none', capacity: 1 }, ADMIN)).toMatchObject({
        ok: false,
        current: null,
        userErrors: [{ code: 'NOT_FOUND', field: ['name'] }],
      });
      expect(await store.getTier('pro\0')).toBeNull();
    });

    it('one of two concurrent edits of a tier wins, and the other gets the current tier', async () => {
      const edits = await Promise.all(
        [111, 222].map((capacity) => store.updateTier({ name: 'pro', capacity, expectedVersion: 1 }, ADMIN)),
      );
      const won = edits.find(({ ok }) => ok);
      const lost = edits.find(({ ok }) => !ok);
      const now = await store.getTier('pro');
      expect(won).toMatchObject({ ok: true, value: now });
      expect(lost).toMatchObject({ current: now, userErrors: [{ code: 'STALE_VERSION', field: ['expectedVersion'] }] });
      expect(now).toMatchObject({ version: 2 });
    });

    it('concurrent edits of different members of a tier are all kept', async () => {
      await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          store.updateTier(i % 2 ? { name: 'pro', capacity: 100 + i } : { name: 'pro', refillAmount: 100 + i }, ADMIN),
        ),
      );
      expect(await store.getTier('pro')).toMatchObject({ version: 13 });
    });

    it('updateTier in a dry run returns the result and writes nothing', async () => {
      const number = await store.latestChange();
      const outcome = await store.updateTier({ name: 'pro', capacity: 9, isDefault: true, dryRun: true }, ADMIN);
      expect(outcome).toMatchObject({ ok: true, value: { capacity: 9, isDefault: true, version: 2 } });
      expect(await store.updateTier({ name: 'pro', expectedVersion: 5, dryRun: true }, ADMIN)).toMatchObject({
        userErrors: [{ code: 'STALE_VERSION' }],
      });
      expect(await store.getTier('pro')).toMatchObject({ capacity: 5000, isDefault: false, version: 1 });
      expect(await store.latestChange()).toBe(number);
    });

    it('updateTier sets, changes and removes a budget, and an equal budget is no change', async () => {
      const budget = {
        timeZone: 'Asia/Tokyo',
        amount: 2 ** 35,
        every: 'MONTH',
        carryOver: { max: 9, percent: 50 },
      } as const;
      const set = await store.updateTier({ name: 'pro', budget }, ADMIN);
      expect(set).toMatchObject({ ok: true, value: { budget, version: 2 }, differences: [{ path: 'budget' }] });
      expect(await store.getTier('pro')).toMatchObject({ budget });
      const { carryOver, ...rest } = budget;
      expect(await store.updateTier({ name: 'pro', budget: { carryOver, ...rest } }, ADMIN)).toMatchObject({
        value: { version: 2 },
      });
      const raised = await store.updateTier({ name: 'pro', budget: { ...budget, hardCap: 2 ** 36 } }, ADMIN);
      expect(raised).toMatchObject({ differences: [{ path: 'budget.hardCap' }] });
      expect(
        await store.updateTier({ name: 'pro', budget: { ...budget, every: 'MOON' as 'DAY' } }, ADMIN),
      ).toMatchObject({
        userErrors: [{ field: ['budget', 'every'], message: expect.stringContaining('got "MOON"') }],
      });
      const warningsOf = async (budget: CalendarBudget | null) => {
        const outcome = await store.updateTier({ name: 'pro', budget, dryRun: true }, ADMIN);
        return outcome.ok ? outcome.warnings : outcome.userErrors;
      };
      expect(await warningsOf({ ...budget, every: 'DAY' })).toContainEqual(expect.stringMatching(/another counter/));
      expect(await warningsOf(budget)).toContainEqual(expect.stringMatching(/budget gets smaller/));
      expect(await warningsOf(budget)).toContainEqual(expect.stringMatching(/^the budget has no effect/));
      expect(await warningsOf(null)).toEqual(['callers of the tier have no budget from now on']);
      await store.updateTier({ name: 'pro', budget: null }, ADMIN);
      expect(await store.getTier('pro')).toMatchObject({ budget: null, version: 4 });
    });

    it('updateTier writes nothing if nothing changes', async () => {
      const number = await store.latestChange();
      const outcome = await store.updateTier({ name: 'pro', capacity: 5000, displayName: undefined }, ADMIN);
      expect(outcome).toMatchObject({ ok: true, value: { version: 1 } });
      expect(await store.latestChange()).toBe(number);
    });

    it('updateTier moves the default from one tier to another, and never removes it', async () => {
      const number = await store.latestChange();
      await store.updateTier({ name: 'pro', isDefault: true }, ADMIN);
      expect((await store.listTiers()).map(({ name, isDefault }) => [name, isDefault])).toEqual([
        ['free', false],
        ['pro', true],
      ]);
      expect((await changesAfter(number)).map(({ key }) => key)).toEqual(['free', 'pro']);
      expect(await store.updateTier({ name: 'pro', isDefault: false }, ADMIN)).toMatchObject({
        userErrors: [{ code: 'INVALID', field: ['isDefault'] }],
      });
    });
  });

  describe('createTier', () => {
    it('createTier adds a tier, rejects a name that is taken, and adds nothing in a dry run', async () => {
      const input = { ...PRO, name: 'team', maxCostPerOperation: 500 };
      expect(await store.createTier({ ...input, dryRun: true }, ADMIN)).toMatchObject({ ok: true, value: input });
      expect(await store.getTier('team')).toBeNull();
      expect(await store.createTier(input, ADMIN)).toMatchObject({ ok: true, value: { ...input, version: 1 } });
      expect(await store.createTier({ ...input, capacity: 1 }, ADMIN)).toMatchObject({
        ok: false,
        current: { capacity: 5000 },
        userErrors: [{ code: 'ALREADY_EXISTS', field: ['name'] }],
      });
    });

    it('createTier accepts names such as `constructor`, which every JavaScript object has as a property', async () => {
      for (const name of ['__proto__', 'constructor', 'toString', 'null']) {
        expect(await store.createTier({ ...PRO, name }, ADMIN)).toMatchObject({ ok: true });
        expect(await store.getTier(name)).toMatchObject({ name, capacity: 5000 });
      }
    });

    it('createTier accepts exactly the tiers that the constraints of the table accept', async () => {
      const whole = fc.oneof(
        fc.constantFrom(0, 1, -1, 2 ** 21, 2 ** 21 + 1, 2 ** 31 - 1, 2 ** 31, 2 ** 40 - 1, 2 ** 40),
        fc.integer({ min: -5, max: 2 ** 32 }),
      );
      const tier = fc
        .record({
          name: fc.oneof(
            fc.constantFrom('', 'a', '-a', '.', '_', 'ä', 'a b', 'A.b-c_9', 'x'.repeat(64), 'x'.repeat(65)),
          ),
          displayName: fc.oneof(fc.constantFrom('', '😀'.repeat(100), 'x'.repeat(101)), fc.string({ maxLength: 3 })),
          bucket: fc.oneof(
            { weight: 9, arbitrary: fc.record({ capacity: whole, refillAmount: whole, refillPeriodMs: whole }) },
            fc.constant({ capacity: null, refillAmount: null, refillPeriodMs: null }),
          ),
          maxCostPerOperation: fc.option(whole),
          monthlyPrice: fc.option(
            fc.record({ amountMinor: whole, currency: fc.constantFrom('EUR', 'eur', 'EURO', '') }),
          ),
        })
        .map(({ bucket, ...rest }) => ({ ...rest, ...bucket }));
      const insert = (input: TierCreate) =>
        db.tx(async (tx) => {
          await tx.query(
            `insert into tiers (name, display_name, monthly_price_minor, price_currency, capacity, refill_amount,
               refill_period_ms, max_cost_per_operation) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
            [
              input.name,
              input.displayName ?? '',
              input.monthlyPrice?.amountMinor ?? null,
              input.monthlyPrice?.currency ?? null,
              input.capacity,
              input.refillAmount ?? null,
              input.refillPeriodMs ?? null,
              input.maxCostPerOperation ?? null,
            ],
          );
          // The table has accepted the row. The error rolls the transaction back.
          throw new Error('accepted');
        });
      await fc.assert(
        fc.asyncProperty(tier, async (input) => {
          const rejectedByTable = await insert(input).catch((error: unknown) => sqlStateOf(error) === '23514');
          expect({ input, rejected: !tierInput.safeParse(input).success }).toEqual({
            input,
            rejected: rejectedByTable,
          });
        }),
        { numRuns: 200 },
      );
    });
  });

  describe('onChange', () => {
    it('onChange notifies a listener of every committed change before the write returns', async () => {
      const seen: (ChangeNotice & { capacity: number | null | undefined })[] = [];
      const stop = store.onChange(async (notice) => {
        seen.push({ ...notice, capacity: (await store.getTier(notice.key))?.capacity });
      });
      await store.updateTier({ name: 'pro', capacity: 9 }, ADMIN);
      const number = await store.latestChange();
      expect(seen).toEqual([{ number, entity: 'TIER', key: 'pro', capacity: 9 }]);

      await store.updateTier({ name: 'pro', capacity: 0 }, ADMIN);
      await store.updateTier({ name: 'pro', capacity: 10, dryRun: true }, ADMIN);
      stop();
      await store.updateTier({ name: 'pro', capacity: 11 }, ADMIN);
      expect(seen).toHaveLength(1);
    });

    it('a listener that throws neither undoes the change nor prevents other notifications', async () => {
      const seen: number[] = [];
      store.onChange(() => {
        throw new Error('broken listener');
      });
      store.onChange(({ number }) => {
        seen.push(number);
      });
      expect(await store.updateTier({ name: 'pro', capacity: 9 }, ADMIN)).toMatchObject({ ok: true });
      expect(seen).toEqual([await store.latestChange()]);
    });
  });
});
