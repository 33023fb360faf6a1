import { expect, it } from 'vitest';
import { describeAddresses } from '../../../src/server/commands/describe-addresses.js';
import type { Config } from '../../../src/server/config/config.js';
import type { RunningServer } from '../../../src/server/start-server.js';

function printed(config: Partial<Config>): string {
  const server = { port: 4000, adminToken: 'made-up-token', consolePath: '/console/' } as RunningServer;
  return describeAddresses({ host: '127.0.0.1', ...config } as Config, server).lines.join('\n');
}

it('a generated admin token is printed only with the sample API, because others may read the output', () => {
  expect(printed({ embedded: true, demo: true })).toContain('token    made-up-token (header Authorization: Bearer)');
  expect(printed({ embedded: false, demo: true })).toContain('made-up-token');
  for (const embedded of [true, false]) {
    const withoutSample = printed({ embedded, demo: false });
    expect(withoutSample).not.toContain('made-up-token');
    expect(withoutSample).toContain('for the first one, set TOLLGATE_ADMIN_TOKEN');
  }
  expect(printed({ embedded: true, demo: true, adminToken: 'of the settings' })).not.toContain('token');
});
