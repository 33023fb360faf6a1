import { closeSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPlatform } from '../../helpers/embedded-platform.js';
import { fillDiskOf } from '../../helpers/full-disk.js';
import { ADMIN_TOKEN, post, runToEnd } from '../../helpers/platform.js';
import { until } from '../../helpers/until.js';

const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
let callers = 0;
/** Stores a new caller. */
function addCaller(url: string) {
  const input = `{ user: "u${++callers}", tier: "free" }`;
  return post(
    `${url}/admin/graphql`,
    `mutation { subjectAssignTier(input: ${input}) { userErrors { message } } }`,
    ADMIN,
  );
}

describe('a full disk', () => {
  let full: number;
  beforeAll(() => {
    full = openSync('/dev/full', 'w');
  });
  afterAll(() => closeSync(full));

  it('a full disk stops only the embedded database, which stays stopped even after space is available again', async () => {
    const platform = await startEmbeddedPlatform();
    try {
      const before = await addCaller(platform.url);
      expect(before.body.errors).toBeUndefined();
      const ask = async () =>
        (await post(`${platform.url}/graphql`, '{ __typename }', { 'x-api-key': 'demo-free' })).status;
      expect(await ask()).toBe(200);
      const makeRoom = fillDiskOf(platform.process.pid!);
      const failed = await addCaller(platform.url);
      expect(failed.body.errors?.[0]?.extensions.code).toBe('UNAVAILABLE');
      await until('the log contains the reason', () =>
        /The embedded database in .* has stopped: /.test(platform.output()),
      );
      expect(platform.output()).toContain('restart this process');
      makeRoom();
      for (let i = 0; i < 3; i++) {
        expect(await ask()).toBe(200);
        const again = await addCaller(platform.url);
        expect(again.body.errors?.[0]?.extensions.code).toBe('UNAVAILABLE');
      }
      await until('/readyz reports the failure', async () => {
        const health = await fetch(`${platform.url}/readyz`);
        expect(health.status).toBe(200);
        return (await health.text()).includes('degraded');
      });
    } finally {
      expect(await platform.stop()).toBe(0);
    }
  });

  it('the platform keeps running when its log and output cannot be written', async () => {
    const platform = await startEmbeddedPlatform({ stdio: ['ignore', full, full], env: { LOG_LEVEL: 'trace' } });
    try {
      platform.process.kill('SIGHUP');
      for (let i = 0; i < 3; i++) {
        expect((await post(`${platform.url}/graphql`, '{ __typename }')).status).toBe(200);
      }
    } finally {
      expect(await platform.stop()).toBe(0);
    }
  });

  it('a command exits with 1 and reports the reason when its output cannot be written', async () => {
    const { status, output } = await runToEnd(['--help'], {}, undefined, ['ignore', full, 'pipe']);
    expect({ status, output }).toEqual({
      status: 1,
      output: 'Standard output cannot be written: ENOSPC: no space left on device, write\n',
    });
  });
});
