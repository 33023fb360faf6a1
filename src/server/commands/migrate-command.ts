import { migrate, migrationStatus } from '../../postgres/migrate.js';
import { withPostgres } from '../../postgres/with-postgres.js';
import { loadDatabaseUrl } from '../config/config.js';
import { MIGRATE } from './commands.js';
import { type CommandOutput, takeCommandLine } from './take-command-line.js';

/**
 * Runs `tollgate migrate up | status` on the database of DATABASE_URL. The embedded database needs
 * no command: each start migrates it. `status` exits with 1 while a migration is pending. It also
 * exits with 1, and prints the reason, if this version must not run on the database.
 */
export async function migrateCommand(args: string[], output: CommandOutput): Promise<number> {
  const { stdout, stderr } = output;
  const { action, exitCode } = takeCommandLine(MIGRATE, args, output);
  if (exitCode !== undefined) return exitCode;
  return withPostgres(loadDatabaseUrl(), async (db) => {
    if (action === 'up') {
      const applied = await migrate(db);
      stdout.write(
        applied.length === 0 ? 'Already up to date.\n' : applied.map((name) => `Applied ${name}\n`).join(''),
      );
      return 0;
    }
    const { applied, pending, problem } = await migrationStatus(db);
    for (const { name, appliedAt } of applied) stdout.write(`${name}  applied ${appliedAt.toISOString()}\n`);
    for (const name of pending) stdout.write(`${name}  pending\n`);
    if (problem) stderr.write(`${problem}\n`);
    return problem || pending.length > 0 ? 1 : 0;
  });
}
