import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTopKeys } from '../../../src/observability/live/create-top-keys.js';

const counted = fc.array(fc.nat(30).map(String), { maxLength: 400 });

it('a sketch of n keys contains every key with more than 1/n of all occurrences, and its bounds always include the true count', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), counted, (size, keys) => {
      const top = createTopKeys<string>(size);
      const truth = new Map<string, number>();
      for (const key of keys) {
        top.count(key, key, (value) => value);
        truth.set(key, (truth.get(key) ?? 0) + 1);
      }
      const listed = top.list();
      expect(listed.length).toBeLessThanOrEqual(size);
      for (const { value, atLeast, atMost } of listed) {
        expect(atLeast).toBeLessThanOrEqual(truth.get(value)!);
        expect(atMost).toBeGreaterThanOrEqual(truth.get(value)!);
        // The error is at most the number of all occurrences divided by the size of the sketch.
        expect(atMost - atLeast).toBeLessThanOrEqual(keys.length / size);
      }
      const found = new Set(listed.map(({ value }) => value));
      for (const [key, count] of truth) if (count > keys.length / size) expect(found).toContain(key);
      expect(listed.map(({ atMost }) => atMost)).toEqual(listed.map(({ atMost }) => atMost).sort((a, b) => b - a));
    }),
  );
});

it('the sketch of the busiest keys finds one busy key among a hundred thousand keys that occur once', () => {
  const top = createTopKeys<string>(32);
  for (let index = 0; index < 100_000; index++) {
    top.count(`once ${index}`, 'once', (value) => value);
    if (index % 10 === 0) top.count('busy', 'busy', (value) => value);
  }
  expect(top.list()[0]).toMatchObject({ value: 'busy' });
  expect(top.list()[0]!.atMost).toBeGreaterThanOrEqual(10_000);
});
