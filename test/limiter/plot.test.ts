import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plotLimits } from '../../scripts/plot-limits.js';

test('the plots of docs/limits.md show what the engine does (npx tsx scripts/plot-limits.ts draws them again)', async () => {
  const drawn = readFileSync(new URL('../../docs/limits.svg', import.meta.url), 'utf8');
  expect(drawn).toBe(await plotLimits());
});
