import { describe, expect, it } from 'vitest';
import { loadOptional, loadTogether, notInstalled } from '../../../src/runtime/packages/load-optional.js';

const absent = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from here`), { code: 'ERR_MODULE_NOT_FOUND' });

describe('optional packages', () => {
  it('the error for a missing package contains its name and the install command', async () => {
    const loading = loadOptional('ioredis', 'redis: a URL', () => Promise.reject(absent('ioredis')));
    await expect(loading).rejects.toThrow(
      new TypeError('redis: a URL needs the package ioredis, which is not installed: npm install ioredis'),
    );
  });

  it('an installed package that lacks a dependency fails with its own error', async () => {
    const loading = loadOptional('ioredis', 'redis: a URL', () => Promise.reject(absent('debug')));
    await expect(loading).rejects.toThrow("Cannot find package 'debug'");
  });

  it('loadOptional returns the result of the import', async () => {
    expect(await loadOptional('any', 'It', () => Promise.resolve(7))).toBe(7);
  });
});

describe('several optional packages', () => {
  const wanted = (name: string, error?: Error) => ({
    name,
    wantedBy: `the option of ${name}`,
    load: () => (error ? Promise.reject(error) : Promise.resolve({})),
  });

  it('several missing packages are reported in one error', async () => {
    await expect(
      loadTogether([wanted('pg', absent('pg')), wanted('pino'), wanted('jose', absent('jose'))]),
    ).rejects.toThrow(
      new TypeError(
        'the option of pg needs the package pg, the option of jose needs the package jose: they are not installed: npm install pg jose',
      ),
    );
  });

  it('a single missing package of several causes the usual error, and a broken package fails with its own error', async () => {
    await expect(loadTogether([wanted('pg', absent('pg')), wanted('jose')])).rejects.toThrow('npm install pg');
    await expect(loadTogether([wanted('pg', absent('pg-pool')), wanted('jose')])).rejects.toThrow("'pg-pool'");
    await loadTogether([wanted('pg'), wanted('jose')]);
  });
});

describe('errors for missing packages', () => {
  it.each([
    [
      'Node',
      'ERR_MODULE_NOT_FOUND',
      "Cannot find package 'jose' imported from /x/tollgate/dist/identity/import-jose.js",
    ],
    ['Deno', 'ERR_MODULE_NOT_FOUND', 'Import "jose" not a dependency'],
    ['a bundle', 'MODULE_NOT_FOUND', "Cannot find module 'jose'\nRequire stack:\n- /x/bundle.cjs"],
    [
      "Yarn's Plug'n'Play",
      'MODULE_NOT_FOUND',
      'tollgate tried to access jose (a peer dependency) but it is not provided\n\nRequired package: jose (via "jose/package.json")\nRequired by: tollgate',
    ],
  ])('the error of %s for a missing package is recognized', async (_, code, message) => {
    const fail = () => Promise.reject(notInstalled('jose', Object.assign(new Error(message), { code })));
    await expect(loadOptional('jose', 'identity.jwt', fail)).rejects.toThrow(
      'identity.jwt needs the package jose, which is not installed: npm install jose',
    );
  });

  it('the error of a package that lacks a dependency is not mistaken for a missing package', () => {
    const ofAnother = Object.assign(new Error('jose tried to access b\n\nRequired package: b (via "b")'), {
      code: 'MODULE_NOT_FOUND',
    });
    expect(notInstalled('jose', ofAnother)).toBe(ofAnother);
    expect(notInstalled('jose', 7)).toBe(7);
  });
});
