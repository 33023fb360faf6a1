import { destination } from 'pino';
import type { Logger } from '../../model/logger.js';
import { createLog } from '../../observability/create-log.js';
import { logText } from '../../observability/log-text.js';
import type { Config } from '../config/config.js';
import { outliveAbandonedErrors } from '../outlive-abandoned-errors.js';

const toTerminal = { write: (line: string) => void process.stderr.write(logText(line)) };

/** Runs a server until SIGTERM or SIGINT, and resolves to the exit status. A second signal ends it at once. */
export async function untilStopped(
  { logLevel }: Pick<Config, 'logLevel'>,
  start: (logger: Logger) => Promise<{ stop(): Promise<void> }>,
): Promise<number> {
  // Standard output is for people: what it prints first is what one pastes. Logs go beside it.
  const log = createLog({ level: logLevel }, process.stderr.isTTY ? toTerminal : destination({ dest: 2, sync: false }));
  outliveAbandonedErrors(log);
  // What this process writes is for its own user.
  process.umask(0o077);
  const server = await start(log);
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => process.exit(1));
  log.info({ signal }, 'Stopping: requests in flight may end');
  await server.stop();
  return 0;
}
