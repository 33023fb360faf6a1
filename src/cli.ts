#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { loadDoor } from './model/load-door.js';
import { ConfigError } from './server/config/config.js';

const USAGE = `Usage: tollgate COMMAND

  start                   the platform: GraphQL API, admin API, health and metrics
        [--port N] [--host H] [--metrics-port N] [--redis-url U --database-url U] [--demo] [--data-dir D]
        [--denial-status 429|200] [--log-level L] [--shutdown-timeout-ms N]
  cost --schema S --query Q
                          what an operation costs; "tollgate cost --help" lists its flags
  migrate up | status     brings the database of DATABASE_URL up to date, or says whether it is
  doctor                  looks at Redis, PostgreSQL, clocks and settings, as "start" would use them
  rules plan | apply FILE [--prune] [--comment TEXT]
                          tiers and rules from YAML: the diff, then the change
  --version, --help

Settings come from the environment too (PORT, REDIS_URL, DATABASE_URL, TOLLGATE_ADMIN_TOKEN, ...); flags win.`;

function packageJson(): { version: string; peerDependencies: Record<string, string> } {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
}

/** What the platform needs: all but what it uses where it is there. */
function peers(): string[] {
  return Object.keys(packageJson().peerDependencies).filter((name) => name !== '@opentelemetry/api');
}

/** Runs one command; resolves to the exit status. Commands are loaded when they are called: `cost` needs no server. */
async function main([command, ...args]: string[]): Promise<number> {
  switch (command) {
    case 'start': {
      const load = () => import('./server/commands/start-command.js');
      const { startCommand } = await loadDoor(
        '"tollgate start" (which "npx tollgate-platform start" is, with all of them)',
        peers(),
        load,
      );
      return startCommand(args);
    }
    case 'cost': {
      const { runCostCommand } = await import('./server/commands/cost-command.js');
      return runCostCommand(args, process);
    }
    case 'migrate': {
      const { migrateCommand } = await import('./server/commands/migrate-command.js');
      return migrateCommand(args, process);
    }
    case 'doctor': {
      const { doctorCommand } = await import('./server/commands/doctor-command.js');
      return doctorCommand(args, process);
    }
    case 'rules': {
      const { rulesCommand } = await import('./server/commands/rules-command.js');
      return rulesCommand(args, process);
    }
    case '--version':
      process.stdout.write(`${packageJson().version}\n`);
      return 0;
    case '--help':
    case 'help':
      process.stdout.write(`${USAGE}\n`);
      return 0;
    default:
      process.stderr.write(
        `${command === undefined ? 'A command is missing' : `Unknown command "${command}"`}\n\n${USAGE}\n`,
      );
      return 2;
  }
}

main(process.argv.slice(2)).then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    // A mistake of the user's is told in words; anything else with its stack.
    const told =
      error instanceof ConfigError || isForUser(error)
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    process.stderr.write(`${told}\n`);
    process.exitCode = 1;
  },
);

/** A reason not to start that the user can do something about. */
function isForUser(error: unknown): error is Error {
  return error instanceof Error && 'isForUser' in error;
}
