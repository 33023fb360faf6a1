import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolders } from '../../../src/runtime/files/make-folders.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-folders-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('makeFolders creates a folder and its parents for the owner only, and changes no existing file', () => {
  const deep = join(folder, 'a', 'b', 'c');
  makeFolders(deep);
  expect([join(folder, 'a'), deep].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o700]);
  writeFileSync(join(deep, 'file'), 'kept');
  makeFolders(deep);
  expect(statSync(join(deep, 'file')).size).toBe(4);
  symlinkSync(deep, join(folder, 'link'));
  makeFolders(join(folder, 'link', 'd'));
  expect(statSync(join(deep, 'd')).isDirectory()).toBe(true);
});

it('makeFolders reports a file where it needs a folder', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolders(join(folder, 'file'))).toThrow(/EEXIST.*mkdir/);
  expect(() => makeFolders(join(folder, 'file', 'below'))).toThrow(/ENOTDIR.*mkdir/);
});

it.runIf(existsSync('/proc/self'))('makeFolders fails if the system cannot create folders', () => {
  for (const place of ['/proc/tollgate', '/proc/tollgate/data']) {
    expect(() => makeFolders(place)).toThrow(/ENOENT.*'\/proc\/tollgate'/);
  }
});
