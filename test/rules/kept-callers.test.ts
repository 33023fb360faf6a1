import { expect, it } from 'vitest';
import type { CallerEntry } from '../../src/rules/live/caller-entry.js';
import { createKeptCallers } from '../../src/rules/live/create-kept-callers.js';
import { createKnownChanges } from '../../src/rules/live/create-known-changes.js';

it('a failed look-up from before the cache was cleared does not remove a shared look-up that began afterwards', async () => {
  const reads: { resolve(entry: CallerEntry | undefined): void; reject(error: Error): void }[] = [];
  const kept = createKeptCallers({
    changes: createKnownChanges({ maxSubjects: 10, staleMs: 1000, now: () => 0 }),
    read: () => new Promise((resolve, reject) => reads.push({ resolve, reject })),
    maxSubjects: 10,
    freshMs: 1000,
  });
  const earlier = kept.load('user:ann');
  kept.clear();
  const later = kept.load('user:ann');
  reads[0]!.reject(new Error('the database has gone back'));
  await expect(earlier).rejects.toThrow('gone back');
  expect(kept.load('user:ann')).toBe(later);
  expect(reads).toHaveLength(2);
  reads[1]!.resolve(undefined);
  await later;
});
