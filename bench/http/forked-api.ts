import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What stands between the sample API and its callers. */
export type ApiProtection = 'nothing' | 'memory' | 'Redis' | 'PostgreSQL, recording' | 'PostgreSQL, not recording';

/** The sample API in a process of its own. */
export interface ForkedApi {
  url: string;
  /** Processor time that it has used so far. */
  cpuUs(): Promise<number>;
  stop(): Promise<unknown>;
}

export async function forkApi(protectedBy: ApiProtection, redisUrl: string, postgresUrl = ''): Promise<ForkedApi> {
  const file = fileURLToPath(new URL('./api-process.ts', import.meta.url));
  const child = fork(file, [protectedBy, redisUrl, postgresUrl]);
  const [url] = await once(child, 'message');
  return {
    url,
    async cpuUs() {
      const answered = once(child, 'message');
      child.send('cpu');
      const [us] = await answered;
      return us;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
