// Prints tables of docs/ from the code, each between two comments of its page: `<!-- settings: generated -->` and
// `<!-- /settings -->`. The rest of the page is written by hand. With --check it writes nothing and fails when a table is not
// what the code says.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SettingDeclaration } from '../src/server/config/setting-declaration.js';
import { POOL_VARIABLES, SETTINGS } from '../src/server/config/setting-flags.js';

interface Table {
  page: string;
  /** The word in the comments. */
  name: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

const TABLES: readonly Table[] = [
  {
    page: 'docs/configuration.md',
    name: 'settings',
    head: ['variable', 'flag', 'default', 'description'],
    rows: Object.entries<SettingDeclaration>(SETTINGS).flatMap(rowsOfSetting),
  },
];

for (const table of TABLES) {
  const path = fileURLToPath(new URL(`../${table.page}`, import.meta.url));
  const present = readFileSync(path, 'utf8');
  const text = withTable(present, table);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (present !== text) {
    console.error(`The table of ${table.name} in ${table.page} is not what the code says: run \`npm run generate\`.`);
    process.exitCode = 1;
  }
}

function withTable(text: string, { page, name, head, rows }: Table): string {
  const [first, last] = [`<!-- ${name}: generated -->`, `<!-- /${name} -->`];
  const [before, between, ...others] = text.split(first);
  const after = between?.split(last)[1];
  if (before === undefined || after === undefined || others.length > 0)
    throw new Error(`${page}: expected ${first} once, and ${last} after it`);
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `|${cells.map(toCell).join('|')}|`);
  return `${before}${first}\n\n${lines.join('\n')}\n\n${last}${after}`;
}

function toCell(content: string): string {
  const text = content.replace(/\s+/g, ' ').trim();
  return text === '' ? ' ' : ` ${text.replace(/(?<!\\)\|/g, '\\|')} `;
}

/** Most texts of the code begin without a capital letter, and end without a full stop. */
function toSentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** The row of a setting, and below that of the pools those of their variables. */
function rowsOfSetting(setting: [string, SettingDeclaration]): string[][] {
  const others = setting[0] === 'TOLLGATE_POOLS' ? Object.entries<SettingDeclaration>(POOL_VARIABLES) : [];
  return [setting, ...others].map(rowOfSetting);
}

function rowOfSetting([variable, { flag, says, docs, reads, defaultText }]: [string, SettingDeclaration]): string[] {
  const byDefault: unknown = reads.safeParse(undefined).data;
  // What is on can only be switched off.
  const written = flag === undefined ? '' : `\`--${flag}${byDefault === true ? '=false' : ''}\``;
  return [`\`${variable}\``, written, defaultText ?? defaultOf(byDefault), toSentence(docs ?? says)];
}

function defaultOf(value: unknown): string {
  if (value === undefined || String(value) === '') return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'number' ? String(value) : `\`${value}\``;
}
