import { expect, it, onTestFinished, vi } from 'vitest';
import { createDenialRecord } from '../../src/admin/context/create-denial-record.js';
import type { Actor } from '../../src/rules/store/create-change-log.js';

const by = (name: string): { actor: Actor } => ({ actor: { name, authMethod: 'ADMIN_TOKEN' } });
const why = () => 'role VIEWER, needs ADMIN';

it('the denial record keeps one entry for each actor and operation in a period, and a bounded number of entries', async () => {
  let nowMs = 1000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  const written: string[] = [];
  const store = {
    recordDenial: async ({ name }: Actor, operation: string) => void written.push(`${name} ${operation}`),
  };
  const record = createDenialRecord({ store, everyMs: 50, maxEntries: 3 });
  for (const operation of ['settings', 'settings', 'tiers', 'rules', 'policySync'])
    await record(by('ann'), operation, why);
  await record(by('bob'), 'settings', why);
  expect(written).toEqual(['ann settings', 'ann tiers', 'ann rules']);

  nowMs += 51;
  await record(by('bob'), 'settings', why);
  await record(by('ann'), 'settings', why);
  expect(written.slice(3)).toEqual(['bob settings', 'ann settings']);
});

it('the denial record writes an entry at the next denial if the first write failed', async () => {
  let isAway = true;
  const written: string[] = [];
  const store = {
    async recordDenial(_: Actor, operation: string) {
      if (isAway) throw new Error('the database is unavailable');
      written.push(operation);
    },
  };
  const record = createDenialRecord({ store });
  await expect(record(by('ann'), 'settings', why)).rejects.toThrow('the database is unavailable');
  isAway = false;
  await record(by('ann'), 'settings', why);
  expect(written).toEqual(['settings']);
});
