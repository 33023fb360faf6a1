import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plotLimits } from '../../scripts/plot-limits.js';

test('the plots in docs/limits.md match the engine (npx tsx scripts/plot-limits.ts redraws them)', async () => {
  const drawn = readFileSync(new URL('../../docs/limits.svg', import.meta.url), 'utf8');
  expect(drawn).toBe(await plotLimits());
});
