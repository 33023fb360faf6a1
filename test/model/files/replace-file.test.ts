import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceFile } from '../../../src/runtime/files/replace-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-replace-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('concurrent replacements of a file leave exactly one complete text and no other file', async () => {
  const path = join(folder, 'new', 'file.json');
  const texts = Array.from({ length: 50 }, (_, i) => `${i} `.repeat(50_000));
  await Promise.all(texts.map((text) => replaceFile(path, text)));
  expect(texts).toContain(readFileSync(path, 'utf8'));
  expect(readdirSync(join(folder, 'new'))).toEqual(['file.json']);
  expect(statSync(path).mode & 0o077).toBe(0);
});

test('a failed replacement leaves no temporary file', async () => {
  const path = join(folder, 'file.json');
  mkdirSync(path);
  await expect(replaceFile(path, 'text')).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['file.json']);
});
