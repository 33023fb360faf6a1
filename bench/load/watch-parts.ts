import { readdirSync, readFileSync } from 'node:fs';

/** Resource use of a process and its children while they were watched. */
export interface PartUse {
  name: string;
  /** Per cent of one core. */
  cpuPercent: number;
  /**
   * Per cent of the time in which the main thread was ready to run, but waited for a core. It is
   * high if other processes use the machine.
   */
  waitedPercent: number;
  /**
   * Memory in megabytes, one sample per second. Memory that processes share is counted only once.
   */
  memoryMb: number[];
}

export interface PartsWatch {
  /** Returns the use so far. */
  samples(): PartUse[];
  stop(): PartUse[];
}

const TICKS_PER_SECOND = 100;
const SAMPLE_MS = 1000;

/** Measures processes with `/proc` of Linux. On other systems the figures are unknown. */
export function watchParts(pids: Record<string, number>): PartsWatch {
  const startedMs = performance.now();
  const parts = Object.entries(pids).map(([name, pid]) => ({
    name,
    pid,
    cpuBefore: cpuOf(pid),
    waitedBeforeMs: waitedMsOf(pid),
    memoryMb: [memoryOf(pid)],
  }));
  const timer = setInterval(() => {
    for (const part of parts) part.memoryMb.push(memoryOf(part.pid));
  }, SAMPLE_MS);
  const samples = () => {
    const elapsedS = (performance.now() - startedMs) / 1000;
    return parts.map(({ name, pid, cpuBefore, waitedBeforeMs, memoryMb }) => ({
      name,
      cpuPercent: ((cpuOf(pid) - cpuBefore) / TICKS_PER_SECOND / elapsedS) * 100,
      waitedPercent: ((waitedMsOf(pid) - waitedBeforeMs) / 1000 / elapsedS) * 100,
      memoryMb,
    }));
  };
  return {
    samples,
    stop() {
      clearInterval(timer);
      return samples();
    },
  };
}

/**
 * Returns the processor time of a process and its children, including children that have ended, in
 * clock ticks. NaN if it is unknown.
 */
function cpuOf(pid: number): number {
  let ticks = 0;
  for (const one of [pid, ...childrenOf(pid)]) {
    // The fields follow the name, which may contain any character. `fields` begins with field 3.
    // utime is field 14, stime 15, cutime 16 and cstime 17.
    const fields = read(`/proc/${one}/stat`)
      ?.replace(/^.*\) /s, '')
      .split(' ');
    if (fields === undefined) {
      if (one === pid) return Number.NaN;
      continue;
    }
    const last = one === pid ? 15 : 13;
    for (let field = 11; field < last; field++) ticks += Number(fields[field]);
  }
  return ticks;
}

/**
 * Returns the time for which the main thread waited for a core. Node.js and Redis do most of their
 * work in that thread. NaN if the time is unknown.
 */
function waitedMsOf(pid: number): number {
  const nanoseconds = read(`/proc/${pid}/schedstat`)?.split(' ')[1];
  return nanoseconds === undefined ? Number.NaN : Number(nanoseconds) / 1e6;
}

function memoryOf(pid: number): number {
  let kb = 0;
  for (const one of [pid, ...childrenOf(pid)]) {
    const text = read(`/proc/${one}/smaps_rollup`);
    const own = /^Pss:\s+(\d+) kB/m.exec(text ?? '')?.[1];
    if (own === undefined && one === pid) return Number.NaN;
    kb += Number(own ?? 0);
  }
  return kb / 1024;
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      (read(`/proc/${pid}/task/${task}/children`) ?? '').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // The process has ended, or this is not Linux.
  }
}
