import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../../../postgres/db.js';
import { migrate, migrationStatus } from '../../../postgres/migrate.js';
import { withPostgres } from '../../../postgres/with-postgres.js';
import { createKnownFields } from '../../../rules/matching/known-fields.js';
import { createRulesStore } from '../../../rules/store/rules-store.js';
import { decodeText } from '../../../runtime/files/decode-text.js';
import { readSchemas } from '../../../services/read-schemas.js';
import { loadDatabaseUrl } from '../../config/config.js';
import { DATA } from '../../config/data-dir.js';
import { RULES } from '../commands.js';
import { type CommandOutput, takeCommandLine } from '../take-command-line.js';
import { testRules } from './test-rules.js';

/**
 * Runs `tollgate rules`. `plan` prints the changes that a file would make, `apply` makes them, and
 * `test` runs cases. Running instances apply changes within seconds. Resolves to the exit code: see
 * `RULES`.
 */
export async function rulesCommand(args: string[], output: CommandOutput): Promise<number> {
  const { stdout, stderr } = output;
  const taken = takeCommandLine(RULES, args, output);
  if (taken.exitCode !== undefined) return taken.exitCode;
  const { values, action } = taken;
  const file = taken.operands[0]!;
  if (action === 'test') {
    const unused = Object.keys(values);
    if (unused.length === 0) return testRules(file, output);
    for (const flag of unused) stderr.write(`tollgate rules: --${flag}: expected only with plan or apply\n`);
    return 2;
  }
  const text = await readPolicyFile(file).catch((error: unknown) => {
    stderr.write(`${file}: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  });
  if (text === undefined) return 1;
  const dataDir = values['data-dir'];
  if (action === 'plan' && dataDir !== undefined && !existsSync(join(dataDir, DATA.database))) {
    stderr.write(`--data-dir: expected a database in ${dataDir}, found none, and a plan creates none: ${START}\n`);
    return 1;
  }
  return onDatabase(dataDir, async (db) => {
    if (action === 'apply') {
      for (const name of await migrate(db)) stdout.write(`Applied migration ${name}\n`);
    } else {
      const reason = await whyNotPlanned(db, dataDir === undefined ? MIGRATE : START);
      if (reason !== undefined) {
        stderr.write(`${reason}\n`);
        return 1;
      }
    }
    const result = await createRulesStore(db).syncPolicy(
      {
        document: text,
        prune: values.prune,
        apply: action === 'apply',
        comment: values.comment,
        // The rules in the code of protected servers are unknown here.
        surroundings: { fields: createKnownFields(await readSchemas(db)), rulesInCode: [] },
      },
      { name: userInfo().username, authMethod: 'COMMAND_LINE' },
    );
    if (!result.plan) {
      for (const { field, message } of result.userErrors) {
        stderr.write(`${field[0] === 'document' ? file : `--${field.join('.')}`}: ${message}\n`);
      }
      return 1;
    }
    stdout.write(`${result.plan.text}\n`);
    if (result.applied) stdout.write('Applied.\n');
    return 0;
  });
}

const MIGRATE = 'run "tollgate migrate up" first';
const START = 'run "tollgate start" with this folder first';

/**
 * Returns the reason why a plan is not possible. A plan must not migrate a database that older
 * instances use.
 */
async function whyNotPlanned(db: Db, remedy: string): Promise<string | undefined> {
  const { pending, problem } = await migrationStatus(db);
  if (problem !== null) return problem;
  if (pending.length === 0) return undefined;
  return `The database is older than this version of Tollgate, and a plan writes nothing: ${remedy}. Pending: ${pending.join(', ')}`;
}

async function readPolicyFile(file: string): Promise<string> {
  if (file !== '-') return decodeText(await readFile(file));
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return decodeText(Buffer.concat(chunks));
}

async function onDatabase(dataDir: string | undefined, run: (db: Db) => Promise<number>): Promise<number> {
  if (dataDir === undefined) return withPostgres(loadDatabaseUrl(), run);
  const { createPgliteDb } = await import('../../../postgres/create-pglite-db.js');
  const db = await createPgliteDb({ folder: join(dataDir, DATA.database) });
  try {
    return await run(db);
  } finally {
    await db.close();
  }
}
