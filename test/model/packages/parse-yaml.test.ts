import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parsePolicyDocument } from '../../../src/rules/policy/policy-document.js';
import { readCostsFile } from '../../../src/server/costs/costs-file.js';
import { countCalls } from '../../helpers/count-calls.js';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-yaml-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const file = join(folder, 'costs.yaml');
  writeFileSync(file, text);
  return file;
}

const keys = (count: number, value: string) =>
  Array.from({ length: count }, (_, at) => `Query.f${at}: ${value}\n`).join('');

/** Functions that read a YAML text with `count` keys. */
const READERS: Record<string, (count: number) => Promise<unknown>> = {
  'a policy document': (count) =>
    parsePolicyDocument(`rules:\n- name: many\n${keys(count, '1').replaceAll(/^/gm, '  ').trimEnd()}`),
  'a file of prices': (count) => readCostsFile(fileOf(keys(count, '{ weight: 5 }'))),
};

describe.each(Object.entries(READERS))('YAML reader for %s', (_, read) => {
  it('reading 8,000 keys takes about four times as many calls as reading 2,000 keys', async () => {
    await read(10);
    const few = await countCalls(() => read(2000));
    const many = await countCalls(() => read(8000));
    expect(few).toBeGreaterThan(2000);
    expect(many / few).toBeGreaterThan(3.5);
    expect(many / few).toBeLessThan(4.5);
  });
});

it('duplicate keys are rejected with the position of the second key', async () => {
  const text = 'rules: []\ntiers: []\nrules: []\n';
  expect(await parsePolicyDocument(text)).toEqual({ problems: ['Map keys must be unique at line 3, column 1'] });
  const file = fileOf('Query.a: { weight: 1 }\nQuery.b: { weight: 1, weight: 2 }\n');
  await expect(readCostsFile(file)).rejects.toThrow(`${file}:2: Map keys must be unique at line 2, column 23`);
});

it('a string that begins with an unquoted star is reported with its position and the fix', async () => {
  const text = 'rules:\n- field: *\n- { field: *.borders, scope: USER }\n- &all {}\n- *all\n';
  expect(await parsePolicyDocument(text)).toEqual({
    problems: [
      'quote a string that begins with *: "*" at line 2, column 10',
      'quote a string that begins with *: "*.borders" at line 3, column 12',
    ],
  });
  const file = fileOf('Query.a: { weight: 1 }\n*.borders: { weight: 5 }\nQuery.b: *.c\n');
  const mistake = 'quote a string that begins with *:';
  await expect(readCostsFile(file)).rejects.toThrow(
    `${file}:2: ${mistake} "*.borders" at line 2, column 1\n${file}:3: ${mistake} "*.c" at line 3, column 10`,
  );
});

it.each([
  ['tiers: []\n---\nrules: []\n', 'expected one document, got a second one after --- at line 2, column 1'],
  ['just words', 'expected `tiers` and `rules`, got "just words"'],
  ['- name: free', 'expected `tiers` and `rules`, got [{"name":"free"}]'],
  ['rule: []', 'Unrecognized key: "rule"; did you mean rules?'],
  ['tiers: { free: 1 }', 'tiers: expected array, got {"free":1}'],
  ['rules: [{}, free]', 'rules[1]: expected object, got "free"'],
])('a policy of %j is rejected with a readable message', async (text, problem) => {
  expect(await parsePolicyDocument(text)).toEqual({ problems: [problem] });
});
