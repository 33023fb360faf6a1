import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { findBinary } from '../../test/helpers/servers.js';

/** Machine and versions of a measurement. Results can be interpreted only together with them. */
export interface Machine {
  cores: number;
  processor: string;
  node: string;
  redis: string;
  platform: string;
}

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    cores: processors.length,
    processor: processors[0]?.model.trim() ?? 'unknown processor',
    node: process.version,
    redis: redisVersion(),
    platform: `${process.platform} ${process.arch}`,
  };
}

function redisVersion(): string {
  const binary = findBinary('redis-server');
  if (!binary) return 'not installed';
  return /v=(\S+)/.exec(execFileSync(binary, ['--version'], { encoding: 'utf8' }))?.[1] ?? 'unknown version';
}
