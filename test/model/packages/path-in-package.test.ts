import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { pathInPackage } from '../../../src/runtime/packages/path-in-package.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

it('pathInPackage finds a path in this package', () => {
  expect(pathInPackage('tollgate', 'migrations')).toBe(join(ROOT, 'migrations'));
});

it('pathInPackage finds a path in another package', () => {
  expect(pathInPackage('express', 'package.json')).toMatch(/express.package\.json$/);
});

it.each([
  ['tollgate', 'no-such-folder'],
  ['no-such-package', 'package.json'],
])('pathInPackage returns undefined for %s, %s', (name, path) => expect(pathInPackage(name, path)).toBeUndefined());
