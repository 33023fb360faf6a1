import type { DestinationStream } from 'pino';
import type { Logger } from '../../model/logger.js';
import { createLog } from '../../observability/create-log.js';
import { createLogDestination } from '../../observability/create-log-destination.js';
import { logText } from '../../observability/log-text.js';
import type { Config } from '../config/config.js';
import { outliveAbandonedErrors } from '../outlive-abandoned-errors.js';

const toTerminal = { write: (line: string) => void process.stderr.write(logText(line)) };

interface StoppableServer {
  stop(): Promise<void>;
  /**
   * Handles SIGHUP by reading files again.
   * @default SIGHUP reads no files, and stops the server if its terminal was closed
   */
  readAgain?(): void;
}

/**
 * Runs a server until SIGTERM or SIGINT, and resolves to the exit status. A second signal ends the
 * process immediately.
 */
export async function untilStopped(
  { logLevel }: Pick<Config, 'logLevel'>,
  start: (logger: Logger) => Promise<StoppableServer>,
): Promise<number> {
  // Write the log to standard error. Standard output contains the addresses and commands that
  // people copy.
  const log = createLog({ level: logLevel }, process.stderr.isTTY ? toTerminal : toStandardError());
  outliveAbandonedErrors(log);
  // Files of this process are private to its user.
  process.umask(0o077);
  const server = await start(log);
  let isStopping = false;
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
    process.on('SIGHUP', () => {
      // Ignore SIGHUP while stopping. Without this handler, Node would end the process immediately.
      if (isStopping) return;
      if (server.readAgain) server.readAgain();
      else if (hasTerminal()) {
        outliveTerminal();
        resolve('SIGHUP');
      } else log.warn(NOTHING_TO_READ);
    });
  });
  isStopping = true;
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => process.exit(1));
  log.info({ signal }, 'Stopping: waiting for requests in flight');
  await server.stop();
  if (signal === 'SIGHUP') {
    // End the process by the default handling of SIGHUP. `process.exit` would abort, because Node
    // then resets the terminal, which no longer exists.
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  }
  return 0;
}

function toStandardError(): DestinationStream {
  const destination = createLogDestination({ fd: 2 });
  process.once('exit', () => destination.flushSync());
  return destination;
}

const NOTHING_TO_READ =
  'SIGHUP has no effect. Settings are read at the start; changes of tiers and rules come into force immediately. SIGTERM stops the platform';

/**
 * Returns whether the process has a terminal. Without one, as under `nohup` or a service manager,
 * SIGHUP does not mean that a terminal was closed: administrators send it to reload settings.
 */
function hasTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
}

/** Ignores write errors of a closed terminal, because they must not interrupt the shutdown. */
function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
