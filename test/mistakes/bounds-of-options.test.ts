import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import { loadConfig } from '../../src/server/config/config.js';
import { configOption } from '../../src/server/config/config-option.js';
import { checkTollgateOptions } from '../../src/tollgate/check-tollgate-options.js';

const schema = buildSchema('type Query { a: Int }');

describe('bounds of options that are also settings', () => {
  it.each([
    ['deadlineMs', 'TOLLGATE_REDIS_DEADLINE_MS', 1, 60_000],
    ['instances', 'TOLLGATE_INSTANCES', 1, 1000],
    ['maxPartitions', 'TOLLGATE_MAX_PARTITIONS', 1, 10_000_000],
  ])('the option %s and its environment variable have the same bounds', async (option, variable, least, most) => {
    const expected = `expected a whole number from ${least} to ${most}, got `;
    for (const value of [least - 1, most + 1]) {
      expect(() => createLimiter({ [option]: value })).toThrow(`${option}: ${expected}${value}`);
      expect(() => checkTollgateOptions({ schema, [option]: value })).toThrow(`${option}: ${expected}${value}`);
      expect(() => loadConfig({ env: { [variable]: String(value) } })).toThrow(`${variable}: ${expected}"${value}"`);
      const config = { ...loadConfig({ env: {} }), [option]: value };
      expect([...configOption.find(config, 'config')]).toEqual([`config.${option}: ${expected}${value}`]);
    }
    for (const value of [least, most]) {
      await createLimiter({ [option]: value }).close();
      checkTollgateOptions({ schema, [option]: value });
      expect(loadConfig({ env: { [variable]: String(value) } })).toMatchObject({ [option]: value });
    }
  });
});
