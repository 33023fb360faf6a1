#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { didYouMean } from './options/nearest-name.js';
import { loadEntryPoint } from './runtime/packages/load-entry-point.js';
import { namesMissingPackage } from './runtime/packages/load-optional.js';
import { commandHelp, overviewHelp } from './server/commands/command-help.js';
import { COMMANDS } from './server/commands/commands.js';
import { ConfigError } from './server/config/config.js';
import { readCommandLine } from './server/config/read-command-line.js';

function packageJson(): { version: string; peerDependencies: Record<string, string> } {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
}

/**
 * Optional peer dependencies that the platform can run without. It uses some of them only if they
 * are installed; others are for protected servers or for web pages.
 */
const NOT_OF_THE_PLATFORM = ['@graphiql/react', '@opentelemetry/api', 'graphql-query-complexity', 'react'];

function peers(): string[] {
  return Object.keys(packageJson().peerDependencies).filter((name) => !NOT_OF_THE_PLATFORM.includes(name));
}

/**
 * Runs one command, and resolves to the exit status. Loads the code of a command only when it is
 * called, because a command such as `cost` needs no server.
 */
async function main([command, ...args]: string[]): Promise<number> {
  const known = COMMANDS.find(({ name }) => name === (command === 'help' ? args[0] : command));
  // Print help before a command's dependencies are loaded: help must work without them.
  if (known && (command === 'help' || readCommandLine(known, args).asksForHelp)) {
    process.stdout.write(commandHelp(known));
    return 0;
  }
  switch (command) {
    case 'start': {
      const load = () => import('./server/commands/start-command.js');
      const { startCommand } = await loadEntryPoint(
        '"tollgate start" ("npx tollgate-platform start" includes all packages)',
        peers(),
        load,
      );
      return startCommand(args);
    }
    case 'gateway': {
      const load = () => import('./server/commands/gateway/gateway-command.js');
      const { gatewayCommand } = await loadEntryPoint(
        '"tollgate gateway" ("npx tollgate-platform gateway" includes all packages)',
        peers(),
        load,
      );
      return gatewayCommand(args);
    }
    case 'decide': {
      const load = () => import('./server/commands/decide-command.js');
      const { decideCommand } = await loadEntryPoint(
        '"tollgate decide" ("npx tollgate-platform decide" includes all packages)',
        peers(),
        load,
      );
      return decideCommand(args);
    }
    case 'cost': {
      const { runCostCommand } = await import('./server/commands/cost/run-cost-command.js');
      return runCostCommand(args, process);
    }
    case 'migrate': {
      const { migrateCommand } = await import('./server/commands/migrate-command.js');
      return migrateCommand(args, process);
    }
    case 'doctor': {
      const { doctorCommand } = await import('./server/commands/doctor/doctor-command.js');
      return doctorCommand(args, process);
    }
    case 'rules': {
      const { rulesCommand } = await import('./server/commands/rules/rules-command.js');
      return rulesCommand(args, process);
    }
    case 'documents': {
      const { documentsCommand } = await import('./server/commands/documents/documents-command.js');
      return documentsCommand(args, process);
    }
    case 'capacity': {
      const { capacityCommand } = await import('./server/commands/capacity/capacity-command.js');
      return capacityCommand(args, process);
    }
    case '--version':
      process.stdout.write(`${packageJson().version}\n`);
      return 0;
    case '--help':
    case '-h':
    case 'help':
      process.stdout.write(overviewHelp(COMMANDS));
      return 0;
    default:
      process.stderr.write(`${whatIsWrongWith(command)}\n\n${overviewHelp(COMMANDS)}`);
      return 2;
  }
}

function whatIsWrongWith(command: string | undefined): string {
  if (command === undefined) return 'A command is missing';
  const names = COMMANDS.map(({ name }) => name);
  return `Unknown command "${command}"${didYouMean(command, names)}`;
}

/** Commands that continue when standard output is closed. */
const SERVERS: readonly (string | undefined)[] = ['start', 'gateway', 'decide'];
const [called] = process.argv.slice(2);
let isOutputLost = false;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` may stop early. This must not affect the command and its exit code.
  if (error.code === 'EPIPE' || isOutputLost || SERVERS.includes(called)) return;
  isOutputLost = true;
  process.exitCode = 1;
  process.stderr.write(`Standard output cannot be written: ${error.message}\n`);
});
// Ignore errors of standard error: there is no further output on which to report them.
process.stderr.on('error', () => {});

main(process.argv.slice(2)).then(
  (status) => {
    process.exitCode = isOutputLost ? status || 1 : status;
  },
  (error: unknown) => {
    // Mistakes of the user are reported as a message, other errors with their stack.
    const message =
      error instanceof ConfigError || isForUser(error) || namesMissingPackage(error)
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  },
);

/** Returns whether an error is one that the user can fix. */
function isForUser(error: unknown): error is Error {
  return error instanceof Error && 'isForUser' in error;
}
