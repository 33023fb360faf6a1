import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { pathInPackage } from '../../../src/runtime/packages/path-in-package.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

it('finds what is in this package by its name, from wherever its modules are', () => {
  expect(pathInPackage('tollgate', 'migrations')).toBe(join(ROOT, 'migrations'));
});

it('finds what is in another package', () => {
  expect(pathInPackage('express', 'package.json')).toMatch(/express.package\.json$/);
});

it.each([
  ['tollgate', 'no-such-folder'],
  ['no-such-package', 'package.json'],
])('has nothing for %s, %s', (name, path) => expect(pathInPackage(name, path)).toBeUndefined());
