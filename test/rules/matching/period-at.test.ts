import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RuleSchedule, type RuleTimes, WEEKDAYS } from '../../../src/model/rule.js';
import { followTimes } from '../../../src/rules/matching/follow-times.js';
import { nextTimeOf, periodAt } from '../../../src/rules/matching/period-at.js';
import { createRuleset, type Ruleset } from '../../../src/rules/matching/ruleset.js';
import { parsePolicy, type RuleInput } from '../../../src/rules/policy/parse-policy.js';

const MINUTE_MS = 60_000;
const at = (text: string) => Date.parse(text);

/** Returns the periods from one time to another, such as `+10:00` (applies until then). */
function periods(times: RuleTimes, from: string, to: string): string[] {
  const found: string[] = [];
  for (let ms = at(from); ms < at(to); ) {
    const { applies, untilMs } = periodAt(times, ms);
    const end = Number.isFinite(untilMs) ? new Date(untilMs).toISOString().replace(':00.000Z', 'Z') : 'ever';
    found.push(`${applies ? '+' : '-'}${end}`);
    ms = untilMs;
  }
  return found;
}

const hours = (schedule: Partial<RuleSchedule>) => ({
  schedule: { timeZone: 'UTC', from: '00:00', to: '24:00', ...schedule },
});

describe('the times of a rule', () => {
  it('a rule without times always applies', () => {
    expect(periods({}, '2026-01-01T00:00Z', '2027-01-01T00:00Z')).toEqual(['+ever']);
    expect(periods(hours({}), '2026-01-01T00:00Z', '2027-01-01T00:00Z')).toEqual(['+ever']);
  });

  it('a schedule applies on its days between its hours', () => {
    const office = hours({ days: ['MON', 'FRI'], from: '08:00', to: '18:00' });
    // 2026-01-02 is a Friday.
    expect(periods(office, '2026-01-02T00:00Z', '2026-01-06T00:00Z')).toEqual([
      '-2026-01-02T08:00Z',
      '+2026-01-02T18:00Z',
      '-2026-01-05T08:00Z',
      '+2026-01-05T18:00Z',
      '-2026-01-09T08:00Z',
    ]);
  });

  it('hours that pass midnight belong to the day on which they begin', () => {
    const night = hours({ days: ['FRI'], from: '22:00', to: '06:00' });
    expect(periods(night, '2026-01-02T21:00Z', '2026-01-03T12:00Z')).toEqual([
      '-2026-01-02T22:00Z',
      '+2026-01-03T06:00Z',
      '-2026-01-09T22:00Z',
    ]);
    expect(periods(night, '2026-01-03T05:59Z', '2026-01-03T06:00Z')).toEqual(['+2026-01-03T06:00Z']);
  });

  it('hours of adjacent days without a gap are one period', () => {
    expect(periods(hours({ days: ['SAT', 'SUN'] }), '2026-01-02T00:00Z', '2026-01-05T00:00Z')).toEqual([
      '-2026-01-03T00:00Z',
      '+2026-01-05T00:00Z',
    ]);
  });

  it('the hours follow daylight saving time, and days of 23 and 25 hours', () => {
    const night = hours({ timeZone: 'Europe/Berlin', from: '22:00', to: '06:00' });
    expect(periods(night, '2026-03-28T20:00Z', '2026-03-29T19:00Z')).toEqual([
      '-2026-03-28T21:00Z',
      '+2026-03-29T04:00Z',
      '-2026-03-29T20:00Z',
    ]);
    const day = hours({ timeZone: 'Europe/Berlin', days: ['SUN'] });
    expect(periods(day, '2026-10-24T22:00Z', '2026-10-25T23:00Z')).toEqual(['+2026-10-25T23:00Z']);
    // The clocks skip the time from 02:00 to 03:00.
    const skipped = hours({ timeZone: 'Europe/Berlin', from: '02:10', to: '02:50' });
    expect(periods(skipped, '2026-03-28T12:00Z', '2026-03-29T12:00Z')).toEqual(['-2026-03-30T00:10Z']);
  });

  it('activeFrom and activeUntil bound the schedule', () => {
    const sale = { activeFrom: '2026-11-27T08:00:00.000Z', activeUntil: '2026-11-28T08:00:00.000Z' };
    expect(periods(sale, '2026-11-01T00:00Z', '2027-01-01T00:00Z')).toEqual([
      '-2026-11-27T08:00Z',
      '+2026-11-28T08:00Z',
      '-ever',
    ]);
    expect(
      periods({ ...sale, ...hours({ from: '06:00', to: '10:00' }) }, '2026-11-27T00:00Z', '2027-01-01T00:00Z'),
    ).toEqual(['-2026-11-27T08:00Z', '+2026-11-27T10:00Z', '-2026-11-28T06:00Z', '+2026-11-28T08:00Z', '-ever']);
  });

  it('a schedule without days, with equal hours, or outside of its bounds never applies', () => {
    const now = at('2026-01-01T00:00Z');
    const never = [
      hours({ days: [] }),
      hours({ from: '08:00', to: '08:00' }),
      { activeUntil: '2025-12-31T00:00:00.000Z' },
      { activeFrom: '2026-02-02T00:00:00.000Z', activeUntil: '2026-02-01T00:00:00.000Z' },
      { ...hours({ days: ['SAT'] }), activeUntil: '2026-01-02T00:00:00.000Z' },
    ];
    for (const times of never) expect(nextTimeOf(times, now)).toBeUndefined();
    expect(nextTimeOf(hours({ days: ['SAT'] }), now)).toBe(at('2026-01-03T00:00Z'));
  });

  it('in each minute, a schedule applies exactly if the local clock shows one of its hours', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
    const clock = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map(([h, m]) => `${`${h}`.padStart(2, '0')}:${`${m}`.padStart(2, '0')}`);
    const schedule = fc.record({
      timeZone: fc.constantFrom(...zones),
      days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
      from: clock,
      to: fc.oneof(clock, fc.constant('24:00')),
    });
    // Weeks without a change of the clocks: those are tested above.
    const weeks = fc.constantFrom('2026-01-11T00:00Z', '2026-06-14T00:00Z', '2026-08-09T00:00Z');
    fc.assert(
      fc.property(schedule, weeks, fc.nat(10_080), (given, week, minute) => {
        const format = new Intl.DateTimeFormat('en-GB', {
          timeZone: given.timeZone,
          weekday: 'short',
          hour: '2-digit',
          minute: '2-digit',
          hourCycle: 'h23',
        });
        const isIn = (ms: number) => {
          const [day = '', time = ''] = format.format(ms).replace(',', '').split(' ');
          const today = WEEKDAYS.indexOf(day.toUpperCase() as 'MON');
          const has = (index: number) => given.days.includes(WEEKDAYS[(index + 7) % 7]!);
          if (given.from === given.to) return false;
          if (given.from < given.to) return has(today) && time >= given.from && time < given.to;
          return (has(today) && time >= given.from) || (has(today - 1) && time < given.to);
        };
        const start = at(week) + minute * MINUTE_MS;
        const { applies, untilMs } = periodAt({ schedule: given }, start);
        const end = Math.min(untilMs, start + 3 * 1440 * MINUTE_MS);
        for (let ms = start; ms < end; ms += 7 * MINUTE_MS) expect(isIn(ms)).toBe(applies);
        expect(isIn(end - MINUTE_MS)).toBe(applies);
        if (end === untilMs) expect(isIn(untilMs)).toBe(!applies);
      }),
      { numRuns: 60 },
    );
  });
});

const window = { algorithm: 'FIXED_WINDOW' as const, amount: 5, windowMs: 60_000 };

function rulesetOf(...rules: Partial<RuleInput>[]): Ruleset {
  const tiers = [{ name: 'free', capacity: 100, refillAmount: 1, isDefault: true }];
  const given = rules.map((rule) => ({ scope: 'USER', field: '*', measure: 'REQUESTS', limits: [window], ...rule }));
  const policy = parsePolicy({ tiers, rules: given });
  if (policy.problems) throw new Error(policy.problems.join('\n'));
  return createRuleset({ ...policy, version: 1 });
}

function namesIn(ruleset: Ruleset): string[] {
  const tier = ruleset.tier(undefined);
  const bound = ruleset.bind(tier, { type: 'QUERY', name: undefined, coordinates: ['Query.a'] });
  return bound.select({ subject: { user: 'u' }, root: 'u' }).map(({ ruleName }) => ruleName);
}

describe('the ruleset of a time', () => {
  const base = rulesetOf(
    { name: 'by-day', priority: 10, schedule: { from: '08:00', to: '18:00' } },
    { name: 'always' },
    { name: 'by-client', match: { clients: ['web'] }, measure: 'CALLS', activeFrom: '2026-01-01T12:00:00Z' },
  );

  it('contains the rules that apply then, and another rule takes the place of a rule outside of its hours', () => {
    expect(namesIn(base.at(at('2026-01-01T07:59Z')))).toEqual(['tier:free', 'always']);
    expect(namesIn(base.at(at('2026-01-01T08:00Z')))).toEqual(['tier:free', 'by-day']);
    expect(namesIn(base.at(at('2026-01-01T18:00Z')))).toEqual(['tier:free', 'always']);
  });

  it('uses one counter for a rule by day and the rule that replaces it', () => {
    const idsAt = (time: string) => {
      const ruleset = base.at(at(time));
      const bound = ruleset.bindAll(ruleset.tier(undefined)).select({ subject: { user: 'u' }, root: 'u' });
      return bound.filter(({ rule }) => rule).map(({ id }) => id);
    };
    expect(idsAt('2026-01-01T09:00Z')).toEqual(idsAt('2026-01-01T20:00Z'));
  });

  it('lists the limits of all times, so that a reset of a caller clears their counters', () => {
    const ruleset = base.at(at('2026-01-01T07:59Z'));
    expect(ruleset.limitsOf(ruleset.tier(undefined)).map(({ ruleName }) => ruleName)).toEqual([
      'tier:free',
      'by-day',
      'always',
      'by-client',
    ]);
  });

  it('stays the same object until the next switch, and returns to the times of a clock that is set back', () => {
    let now = at('2026-01-01T07:00Z');
    const current = followTimes(
      () => base,
      () => now,
    );
    const early = current();
    now = at('2026-01-01T07:59:59.999Z');
    expect(current()).toBe(early);
    now = at('2026-01-01T08:00Z');
    const day = current();
    expect(namesIn(day)).toContain('by-day');
    now = at('2026-01-01T11:59:59Z');
    expect(current()).toBe(day);
    now = at('2026-01-01T12:00:00Z');
    expect(current()).not.toBe(day);
    now = at('2026-01-01T07:30Z');
    expect(namesIn(current())).not.toContain('by-day');
  });

  it('without rules with times, is always the same object', () => {
    const plain = rulesetOf({ name: 'always' });
    expect(plain.at(0)).toBe(plain);
    expect(plain.at(at('2100-01-01T00:00Z'))).toBe(plain);
  });

  it('follows a change of the rules', () => {
    let latest = base;
    const current = followTimes(
      () => latest,
      () => at('2026-01-01T09:00Z'),
    );
    expect(namesIn(current())).toContain('by-day');
    latest = rulesetOf({ name: 'by-night', schedule: { from: '22:00', to: '06:00' } });
    expect(namesIn(current())).toEqual(['tier:free']);
    expect(current().rules.map(({ name }) => name)).toEqual(['by-night']);
  });
});

describe('mistakes in the times of a rule', () => {
  const problemsOf = (times: object) => {
    const rule = { name: 'r', scope: 'USER', field: '*', limits: [window], ...times };
    const { problems = [] } = parsePolicy({ tiers: [], rules: [rule] });
    return problems.map((problem) => problem.replace('rules[0] ("r").', ''));
  };

  it.each([
    [{ schedule: 'always' }, 'schedule'],
    [{ schedule: { hours: '8-18' } }, 'schedule: Unrecognized key: "hours"'],
    [{ schedule: { form: '08:00' } }, 'did you mean from?'],
    [
      { schedule: { timeZone: 'Europe/Berlln' } },
      'schedule.timeZone: expected an IANA time zone, such as Europe/Berlin',
    ],
    [{ schedule: { timeZone: 'Europe/Berlln' } }, 'did you mean Europe/Berlin?'],
    [{ schedule: { timeZone: '+01:00' } }, 'schedule.timeZone: expected an IANA time zone'],
    [{ schedule: { timeZone: 1 } }, 'schedule.timeZone: expected'],
    [{ schedule: { days: 'MON' } }, 'schedule.days: expected a list, got "MON"'],
    [{ schedule: { days: ['MONDAY'] } }, 'schedule.days[0]: expected one of MON, TUE'],
    [{ schedule: { days: ['MON', 'MON'] } }, 'schedule.days: expected each value once'],
    [{ schedule: { from: '8:00' } }, 'schedule.from: expected a local time as HH:MM, such as 08:00, got "8:00"'],
    [{ schedule: { from: '24:00' } }, 'schedule.from: expected'],
    [{ schedule: { from: 8 } }, 'schedule.from: expected'],
    [{ schedule: { to: '24:01' } }, 'schedule.to: expected a local time as HH:MM up to 24:00'],
    [{ schedule: { to: '18:60' } }, 'schedule.to: expected'],
    [{ schedule: { to: null } }, 'schedule.to: expected'],
    [{ activeFrom: '2026-11-27' }, 'activeFrom: expected a time with an offset from UTC'],
    [{ activeFrom: '2026-02-30T00:00:00Z' }, 'activeFrom: expected a time with an offset from UTC'],
    [{ activeFrom: 1_800_000_000_000 }, 'activeFrom: expected a time with an offset from UTC'],
    [{ activeUntil: '2026-11-27T08:00:00' }, 'activeUntil: expected a time with an offset from UTC'],
    [{ activeUntil: '9999-12-31T23:59:59-14:00' }, 'activeUntil: expected a time with an offset from UTC'],
    [{ activeUntil: new Date(Number.NaN) }, 'activeUntil: expected a time with an offset from UTC'],
  ])('%j is rejected with a message that names the member', (times, message) => {
    expect(problemsOf(times).join('\n')).toContain(message);
  });

  it('times are stored in a normal form, so that equal times are equal', () => {
    const { rules } = parsePolicy({
      tiers: [],
      rules: [
        {
          ...{ name: 'r', scope: 'USER', field: '*', limits: [window] },
          schedule: { days: ['FRI', 'MON'], to: '06:00' },
          activeFrom: '2026-11-27T08:00+01:00',
          activeUntil: new Date('2027-01-01T00:00:00Z'),
        },
      ],
    }) as { rules: object[] };
    expect(rules[0]).toMatchObject({
      schedule: { timeZone: 'UTC', days: ['MON', 'FRI'], from: '00:00', to: '06:00' },
      activeFrom: '2026-11-27T07:00:00.000Z',
      activeUntil: '2027-01-01T00:00:00.000Z',
    });
  });
});
