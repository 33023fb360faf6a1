import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Platform, startPlatform } from '../helpers/platform.js';
import { until } from '../helpers/until.js';
import { PAGES } from './documents.js';

interface Sample {
  extensions: { cost: { limits: { rule: string; remaining: number; resetAt: string }[] } };
}

/** Beginning of the README, with the command and the response. */
const START = PAGES.get('README.md')!.split('\n## ')[0]!;
const COMMAND = /^curl .*$/m.exec(START)![0];
const SAMPLE = JSON.parse(/```json\n([\s\S]*?)```/.exec(START)![1]!) as Sample;

let platform: Platform;
beforeAll(async () => {
  // The simulated callers are on, like in `npm start`.
  platform = await startPlatform({ env: { TOLLGATE_TRAFFIC: 'true' } });
});
afterAll(() => platform.stop());

it('the first two blocks of the README are the commands that start the sample API and run all tests', () => {
  const blocks = [...PAGES.get('README.md')!.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)];
  expect(blocks.slice(0, 2).map(([, language, command]) => [language, command])).toEqual([
    ['sh', 'npm ci --no-workspaces && npm start\n'],
    ['sh', 'npm ci && npm test\n'],
  ]);
});

it('the command of the README is the one that a start prints', async () => {
  await until('the command is printed', () => /^ *curl .*\n/m.test(platform.output()));
  const printed = /^ *(curl .*)$/m.exec(platform.output())![1]!;
  expect(printed.replace(`:${platform.port}/`, ':4000/')).toBe(COMMAND);
});

it('the response in the README is the response to its command, except for the part of the limit that other callers have used', async () => {
  const command = COMMAND.replace(':4000/', `:${platform.port}/`);
  const responseNow = () => {
    const answer = JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' })) as Sample;
    // The simulated callers share the address, and the window of the limit moves.
    for (const [at, limit] of answer.extensions.cost.limits.entries()) {
      expect(limit.remaining).toEqual(expect.any(Number));
      expect(limit.resetAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
      const { remaining, resetAt } = SAMPLE.extensions.cost.limits[at]!;
      Object.assign(limit, { remaining, resetAt });
    }
    // The order of the members must be the same too, so texts are compared.
    return JSON.stringify(answer);
  };
  // The response contains only the limit with the smallest remaining fraction. That is the limit of
  // the address once the simulated callers have sent some requests.
  await expect.poll(async () => responseNow(), { interval: 1000, timeout: 120_000 }).toBe(JSON.stringify(SAMPLE));
});
