import { describe, expect, it } from 'vitest';
import { loadOptional } from '../../../src/model/packages/optional-package.js';

const absent = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from here`), { code: 'ERR_MODULE_NOT_FOUND' });

describe('a package that only some users need', () => {
  it('is asked for by name, with the command that installs it', async () => {
    const loading = loadOptional('ioredis', 'redis: a URL', () => Promise.reject(absent('ioredis')));
    await expect(loading).rejects.toThrow(
      new TypeError('redis: a URL needs the package ioredis, which is not installed: npm install ioredis'),
    );
  });

  it('tells its own failure, where it is there and misses something itself', async () => {
    const loading = loadOptional('ioredis', 'redis: a URL', () => Promise.reject(absent('debug')));
    await expect(loading).rejects.toThrow("Cannot find package 'debug'");
  });

  it('is what loading it gives', async () => {
    expect(await loadOptional('any', 'It', () => Promise.resolve(7))).toBe(7);
  });
});
