import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { hideSecrets } from '../../../observability/hide-secrets.js';
import type { Db } from '../../../postgres/db.js';
import { migrate } from '../../../postgres/migrate.js';
import { withPostgres } from '../../../postgres/with-postgres.js';
import { createDocumentRegistry, type DocumentRegistry } from '../../../registry/create-document-registry.js';
import { readPublishedTexts } from '../../../registry/find-broken-documents.js';
import { readDocumentPage, readVersion, readVersionPage, type VersionRecord } from '../../../registry/read-version.js';
import type { Outcome } from '../../../rules/store/outcome.js';
import { createRulesStore } from '../../../rules/store/rules-store.js';
import { loadDatabaseUrl } from '../../config/config.js';
import { DATA } from '../../config/data-dir.js';
import type { FlagValues } from '../../config/read-command-line.js';
import { DOCUMENTS } from '../commands.js';
import { UsageError } from '../read-text.js';
import { type CommandOutput, takeCommandLine } from '../take-command-line.js';
import { printCheck } from './print-check.js';
import { type PlacedDocument, readPushedDocuments } from './read-pushed-documents.js';

type DocumentsFlags = FlagValues<(typeof DOCUMENTS)['flags']>;

/** Standard error of a process, on which a progress bar is shown if it is a terminal. */
interface ProgressOutput extends CommandOutput {
  stderr: CommandOutput['stderr'] & { isTTY?: boolean };
}

const PAGE = 1000;
const DAY_MS = 86_400_000;

/** Runs `tollgate documents`. Resolves to the exit code: see `DOCUMENTS`. */
export async function documentsCommand(args: string[], output: ProgressOutput): Promise<number> {
  const taken = takeCommandLine(DOCUMENTS, args, output);
  if (taken.exitCode !== undefined) return taken.exitCode;
  const { values, action, operands } = taken;
  try {
    const file = fileOf(action, operands);
    if (action === 'check') return await check(file, values, output);
    return await onDatabase(values['data-dir'], async (db) => {
      for (const name of await migrate(db)) output.stdout.write(`Applied migration ${name}\n`);
      if (action === 'list') return list(db, values, output);
      const name = { app: required(values, 'app'), version: required(values, 'version'), comment: values.comment };
      const registry = createDocumentRegistry(db, createRulesStore(db).write);
      return finish(await run(registry, { action, file, name, values, output }), output);
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    output.stderr.write(`tollgate documents: ${error.message}\n`);
    return 2;
  }
}

/** Returns the operand of an action that reads a file. */
function fileOf(action: string, [file]: readonly string[]): string | undefined {
  const isRead = action === 'push' || action === 'check';
  if (action === 'push' && file === undefined) throw new UsageError('push: FILE: expected one, got nothing');
  if (!isRead && file !== undefined) throw new UsageError(`${action}: unexpected ${hideSecrets(JSON.stringify(file))}`);
  return file;
}

interface RunOptions {
  action: string;
  file: string | undefined;
  name: { app: string; version: string; comment: string | undefined };
  values: DocumentsFlags;
  output: ProgressOutput;
}

function run(
  registry: DocumentRegistry,
  { action, file, name, values, output }: RunOptions,
): Promise<Outcome<VersionRecord>> {
  const actor = { name: userInfo().username, authMethod: 'COMMAND_LINE' as const };
  if (action === 'publish') return registry.publish(name, actor);
  if (action === 'retire')
    return registry.retire({ ...name, unusedDays: readWhole(values, 'unused-days') ?? 7 }, actor);
  const documents = readPushedDocuments(file!);
  const publish = values.publish === true;
  return registry.push({ ...name, documents, publish, onProgress: progressBar(output) }, actor);
}

function finish(outcome: Outcome<VersionRecord>, { stdout, stderr }: CommandOutput): number {
  if (!outcome.ok) {
    for (const { field, message } of outcome.userErrors) {
      const place = field[0] === 'documents' ? (field[1] ?? 'documents') : `--${field.join('.')}`;
      stderr.write(`${place}: ${message}\n`);
    }
    return 1;
  }
  for (const warning of outcome.warnings) stdout.write(`${warning}\n`);
  stdout.write(`${describe(outcome.value)}\n`);
  return 0;
}

function describe({ app, version, state, documents, bytes }: VersionRecord): string {
  return `${app} ${version}: ${state.toLowerCase()}, ${documents} documents, ${bytes} bytes`;
}

/** Returns a function that shows a progress bar on a terminal, and nothing elsewhere. */
function progressBar({ stderr }: ProgressOutput): ((stored: number, total: number) => void) | undefined {
  if (!stderr.isTTY) return undefined;
  return (stored, total) => {
    const width = Math.round((stored / total) * 40);
    const bar = `${'#'.repeat(width)}${'.'.repeat(40 - width)}`;
    stderr.write(`\r[${bar}] ${stored} of ${total}${stored === total ? '\n' : ''}`);
  };
}

async function check(file: string | undefined, values: DocumentsFlags, output: CommandOutput): Promise<number> {
  const options = {
    schema: values.schema,
    costs: values.costs,
    service: values.service,
    app: values.app,
    against: values.against,
    maxCost: readWhole(values, 'max-cost'),
    maxIncrease: readWhole(values, 'max-increase'),
  };
  const compares = values.app !== undefined && values.against === undefined;
  if (file === undefined) {
    return onDatabase(values['data-dir'], (db) =>
      printCheck({ ...options, documents: readPublished(db, values.app), comparesWithLast: false, db }, output),
    );
  }
  const given = { ...options, documents: readPushedDocuments(file), comparesWithLast: compares };
  if (values.service === undefined && !compares) return printCheck({ ...given, db: undefined }, output);
  return onDatabase(values['data-dir'], (db) => printCheck({ ...given, db }, output));
}

async function* readPublished(db: Db, app: string | undefined): AsyncGenerator<PlacedDocument> {
  for await (const { app: name, versions, id, text } of readPublishedTexts(db, app))
    yield { id, text, place: `${name} ${versions[0]} ${id}` };
}

async function list(db: Db, values: DocumentsFlags, { stdout, stderr }: CommandOutput): Promise<number> {
  const { app, version } = values;
  const days = readWhole(values, 'unused-since');
  if (version === undefined) {
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const page = await readVersionPage(db, { app }, { before, limit: PAGE });
      for (const one of page) if (isUnused(one, days)) stdout.write(`${describe(one)}, ${usesOf(one)}\n`);
      if (page.length < PAGE) return 0;
      before = page.at(-1)!.number;
    }
  }
  const found = await readVersion(db, required(values, 'app'), version);
  if (!found) {
    stderr.write(`--version: no version ${version} of the app ${app}\n`);
    return 1;
  }
  const unusedSince = days === undefined ? undefined : new Date(Date.now() - days * DAY_MS);
  for (let after = 0; ; ) {
    const page = await readDocumentPage(db, found.number, { after, limit: PAGE, unusedSince });
    for (const one of page) stdout.write(`${one.id}  ${one.operationName ?? '(unnamed)'}, ${usesOf(one)}\n`);
    if (page.length < PAGE) return 0;
    after = page.at(-1)!.number;
  }
}

function isUnused({ lastUsedAt }: VersionRecord, days: number | undefined): boolean {
  return days === undefined || lastUsedAt === null || lastUsedAt.getTime() < Date.now() - days * DAY_MS;
}

function usesOf({ uses, lastUsedAt }: { uses: number; lastUsedAt: Date | null }): string {
  if (lastUsedAt === null) return 'never used';
  return `${uses} uses in 30 days, last ${lastUsedAt.toISOString()}`;
}

function required(values: DocumentsFlags, flag: 'app' | 'version'): string {
  const value = values[flag];
  if (value === undefined) throw new UsageError(`--${flag}: expected a value, got nothing`);
  return value;
}

function readWhole(
  values: DocumentsFlags,
  flag: 'max-cost' | 'max-increase' | 'unused-since' | 'unused-days',
): number | undefined {
  const text = values[flag];
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--${flag}: expected a whole number of 0 or more, got ${hideSecrets(JSON.stringify(text))}`);
}

async function onDatabase(dataDir: string | undefined, use: (db: Db) => Promise<number>): Promise<number> {
  if (dataDir === undefined) return withPostgres(loadDatabaseUrl(), use);
  if (!existsSync(join(dataDir, DATA.database)))
    throw new UsageError(
      `--data-dir: expected a database in ${dataDir}, found none: run "tollgate start" with this folder first`,
    );
  const { createPgliteDb } = await import('../../../postgres/create-pglite-db.js');
  const db = await createPgliteDb({ folder: join(dataDir, DATA.database) });
  try {
    return await use(db);
  } finally {
    await db.close();
  }
}
