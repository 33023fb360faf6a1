import { describe, expect, it } from 'vitest';
import type { RecordedSubject, UsageRecord } from '../../src/model/usage-record.js';
import { storedText } from '../../src/runtime/stored-text.js';
import { createDecisionSample, createMeasuringBudget } from '../../src/usage/record/create-decision-sample.js';
import { createUsageAggregate } from '../../src/usage/record/create-usage-aggregate.js';
import { recordOf } from './one-record.js';

const START = Date.parse('2026-03-01T12:00:00Z');

function asked(subject: RecordedSubject, operationName = 'Home', atMs = START): UsageRecord {
  return recordOf({ atMs, subject, operationName, fields: undefined });
}

const BOUNDS = { maxOperationNames: 10, newOperationNamesPerHour: 1_000, maxAddresses: 10, maxEntries: 1_000 };

describe('bounds of the usage in memory', () => {
  it('in each minute, a bounded number of operation names is counted separately, and the others together', () => {
    const aggregate = createUsageAggregate(BOUNDS);
    for (let index = 0; index < 100; index++) {
      aggregate.add(asked({ user: 'ann' }, `Name${index}`));
      // Storing the usage in between must not make room for more names.
      if (index === 50) expect(aggregate.take().usage).toHaveLength(11);
    }
    const { usage } = aggregate.take();
    expect(usage).toMatchObject([{ operation: { type: 'OTHER', name: '' }, requests: 49, actual_cost: 49 }]);
    aggregate.add(asked({ user: 'ann' }, 'Name99', START + 60_000));
    expect(aggregate.take().usage).toMatchObject([{ operation: { name: 'Name99' } }]);
  });

  it('over a day, new operation names are bounded for each caller, and known names stay separate', () => {
    const PER_HOUR = 20;
    const aggregate = createUsageAggregate({ ...BOUNDS, newOperationNamesPerHour: PER_HOUR });
    const names = new Map<string, Set<string>>();
    const count = () => {
      for (const { subject, operation } of aggregate.take().usage) {
        if (operation.type === 'OTHER') continue;
        names.set(subject.name, (names.get(subject.name) ?? new Set()).add(operation.name));
      }
    };
    aggregate.add(asked({ user: 'ben' }, 'Home'));
    const DAY_MINUTES = 24 * 60;
    for (let minute = 0; minute < DAY_MINUTES; minute++) {
      const atMs = START + minute * 60_000;
      for (let index = 0; index < 9; index++) aggregate.add(asked({ user: 'ann' }, `Made${minute}_${index}`, atMs));
      // This caller sends `Home` until the last hour, and only `Written` in the last hour.
      aggregate.add(asked({ user: 'ben' }, minute > DAY_MINUTES - 60 ? 'Written' : 'Home', atMs));
      count();
    }
    expect(names.get('ben')).toEqual(new Set(['Home', 'Written']));
    expect(names.get('ann')!.size).toBeGreaterThanOrEqual((10 * PER_HOUR) / 4);
    expect(names.get('ann')!.size).toBeLessThanOrEqual(((10 + 24) * PER_HOUR) / 4);

    // The new names of all callers together also have a maximum.
    names.clear();
    for (let index = 0; index < 5_000; index++) {
      const atMs = START + (DAY_MINUTES + Math.floor(index / 5)) * 60_000;
      aggregate.add(asked({ user: `user${index}` }, `Another${index}`, atMs));
    }
    count();
    const hours = 5_000 / 5 / 60;
    expect(names.size).toBeLessThanOrEqual((10 + hours) * PER_HOUR + 1);
  });

  it('operations with an earlier start time do not refill the budget of names', () => {
    const aggregate = createUsageAggregate({ ...BOUNDS, maxOperationNames: 1_000, newOperationNamesPerHour: 4 });
    for (let index = 0; index < 1_000; index++) {
      aggregate.add(asked({ user: 'ann' }, `Name${index}`, START - (index % 2) * 3_600_000));
    }
    expect(aggregate.take().usage.filter(({ operation }) => operation.type !== 'OTHER')).toHaveLength(10);
  });

  it('operations with an earlier start time do not increase the number of logged and measured decisions', () => {
    const { shareFor } = createDecisionSample(1);
    const { allows } = createMeasuringBudget();
    let [logged, measured] = [0, 0];
    for (let index = 0; index < 2_000; index++) {
      const durationMs = (index % 2) * 60_000;
      const record = { ...asked({ user: `user${index}` }, 'Home', START - durationMs), durationMs };
      if (shareFor(record) !== undefined) logged++;
      const fields = { measuringSteps: () => 50_000 } as unknown as UsageRecord['fields'];
      if (allows({ ...record, fields })) measured++;
    }
    expect(logged).toBeLessThan(200);
    expect(measured).toBeLessThan(200);
  });

  it('a clock that moves back does not refill the budget of names', () => {
    const aggregate = createUsageAggregate({ ...BOUNDS, newOperationNamesPerHour: 4 });
    for (let index = 0; index < 1_000; index++) {
      aggregate.add(asked({ user: 'ann' }, `Name${index}`, START - index * 3_600_000));
    }
    expect(aggregate.take().usage.filter(({ operation }) => operation.type !== 'OTHER')).toHaveLength(10);
  });

  it('in each minute, a bounded number of addresses and all users are counted separately', () => {
    const aggregate = createUsageAggregate(BOUNDS);
    for (let index = 0; index < 100; index++) {
      aggregate.add(asked({ ip: `10.0.0.${index}` }));
      aggregate.add(asked({ user: `user${index}`, ip: '10.0.0.1' }));
    }
    const { usage } = aggregate.take();
    expect(usage.filter(({ subject }) => subject.kind === 'IP')).toHaveLength(10);
    expect(usage.filter(({ subject }) => subject.kind === 'USER')).toHaveLength(100);
    expect(usage.find(({ subject }) => subject.kind === 'OTHER')).toMatchObject({ requests: 90, estimated_cost: 180 });
  });

  it('operations with an earlier start time do not raise the bound of addresses', () => {
    const aggregate = createUsageAggregate(BOUNDS);
    let counted = 0;
    for (let index = 0; index < 100; index++) {
      aggregate.add(asked({ ip: `10.0.0.${index}` }, 'Home', START - (index % 2) * 60_000));
      if (index % 10 === 9) counted += aggregate.take().usage.filter(({ subject }) => subject.kind === 'IP').length;
    }
    expect(counted).toBe(10);
  });

  it('after a clock moved back from a wrong time, names and addresses are counted separately again', () => {
    const aggregate = createUsageAggregate({ ...BOUNDS, maxOperationNames: 100, newOperationNamesPerHour: 4 });
    const YEAR_MS = 365 * 86_400_000;
    const countsOf = (fromMs: number) => {
      for (let index = 0; index < 1_000; index++) {
        aggregate.add(asked({ ip: `10.0.0.${index}` }, 'Home', fromMs + index));
        aggregate.add(asked({ user: 'ann' }, `Name${fromMs}_${index}`, fromMs + index));
      }
      const { usage } = aggregate.take();
      const addresses = new Set(
        usage.filter(({ subject }) => subject.kind === 'IP').map(({ subject }) => subject.name),
      );
      const names = usage.filter(({ subject, operation }) => subject.kind === 'USER' && operation.type !== 'OTHER');
      return [addresses.size, names.length];
    };
    expect(countsOf(START + YEAR_MS)).toEqual([10, 10]);
    // The step back of the clock does not refill the budget of names.
    expect(countsOf(START)).toEqual([10, 0]);
    // Ten hours refill the whole budget of names.
    expect(countsOf(START + 10 * 3_600_000)[1]).toBe(10);
  });

  it('the number of counters stays bounded while nothing is stored, and the sums count all accepted requests', () => {
    const aggregate = createUsageAggregate(BOUNDS);
    let taken = 0;
    for (let index = 0; index < 100_000; index++) {
      const atMs = START + 60_000 * Math.floor(index / 10);
      if (aggregate.add(asked({ user: `user${index}` }, 'Home', atMs))) taken++;
    }
    expect(aggregate.size).toBeLessThanOrEqual(2 * BOUNDS.maxEntries);
    const { usage, requests } = aggregate.take();
    expect(requests).toBe(taken);
    expect(usage.reduce((sum, entry) => sum + entry.requests, 0)).toBe(taken);
    expect(aggregate.size).toBe(0);
  });

  it.each([
    'constructor',
    '__proto__',
    'toString',
  ])('callers and operations named %s are counted like all others', (name) => {
    const aggregate = createUsageAggregate(BOUNDS);
    aggregate.add(asked({ user: name, tenant: name }, name));
    expect(aggregate.take().usage).toMatchObject([
      { subject: { tenant: name, name }, operation: { name }, requests: 1 },
    ]);
  });
});

describe('the sample of logged decisions', () => {
  it('the sample contains every decision while there are few', () => {
    const sample = createDecisionSample(20);
    for (let ms = 0; ms < 60_000; ms += 100)
      expect(sample.shareFor(asked({ user: `u${ms}` }, 'x', START + ms))).toBe(1);
  });

  it('the sample contains at most the given rate of decisions, and all decisions of each selected caller', () => {
    const sample = createDecisionSample(20);
    const taken = new Map<string, number>();
    const perSecond = 1_000;
    let total = 0;
    for (let index = 0; index < 120 * perSecond; index++) {
      const user = `user${index % 500}`;
      const share = sample.shareFor(asked({ user }, 'x', START + Math.floor((index * 1000) / perSecond)));
      if (share === undefined) continue;
      total++;
      // Counts only the last minute, when the share has become stable.
      if (index >= 60 * perSecond) taken.set(user, (taken.get(user) ?? 0) + 1);
    }
    expect(total).toBeLessThanOrEqual(120 * 20 * 1.1);
    expect(taken.size).toBeGreaterThan(0);
    for (const count of taken.values()) expect(count).toBe((60 * perSecond) / 500);
  });

  it('the sample and the measuring of fields continue after a clock moved back', () => {
    const sample = createDecisionSample(20);
    const { allows } = createMeasuringBudget();
    const fields = { measuringSteps: () => 1_000 } as unknown as UsageRecord['fields'];
    const perSecond = 200;
    let [logged, measured] = [0, 0];
    function run(fromMs: number): void {
      logged = 0;
      measured = 0;
      for (let index = 0; index < 120 * perSecond; index++) {
        const record = asked({ user: `user${index % 500}` }, 'x', fromMs + Math.floor((index * 1000) / perSecond));
        if (sample.shareFor(record) !== undefined) logged++;
        if (allows({ ...record, fields })) measured++;
      }
    }
    run(START);
    const [loggedBefore, measuredBefore] = [logged, measured];
    run(START - 3_600_000);
    expect(logged).toBeGreaterThan(loggedBefore / 2);
    expect(measured).toBeGreaterThan(measuredBefore / 2);
  });

  it('a sample with the rate 0 contains no decision', () => {
    expect(createDecisionSample(0).shareFor(asked({ user: 'ann' }))).toBeUndefined();
  });
});

describe('stored texts', () => {
  it('a text that fits is stored unchanged', () => {
    expect(storedText('Grüße 𝒳', 512)).toBe('Grüße 𝒳');
  });

  it('a long text is cut between characters within the byte limit, and two long texts stay distinct', () => {
    const [one, other] = [storedText(`${'ü'.repeat(300)}a`, 100), storedText(`${'ü'.repeat(300)}b`, 100)];
    expect(one).not.toBe(other);
    for (const text of [one, other]) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(100);
      expect(text).not.toContain('\ufffd');
    }
  });

  it('characters that PostgreSQL cannot store are replaced in a stored text', () => {
    expect(storedText('a\0b\ud83d', 512)).toBe('a\ufffdb\ufffd');
  });
});
