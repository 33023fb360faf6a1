import { timerMs } from './schedule.js';

/**
 * Calls `run` repeatedly. Each call begins `waitMs` after the previous one has ended. The timer is
 * unref'd, so that it does not keep the process alive.
 * @param run must not throw or reject
 * @param waitMs time before each run, in milliseconds. A function receives the number of previous
 * runs
 * @returns a function that stops the loop, and resolves when the run in progress has ended
 */
export function poll(run: () => unknown, waitMs: number | ((runs: number) => number)): () => Promise<void> {
  let runs = 0;
  let isStopped = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout;

  function wait(): void {
    running = undefined;
    if (isStopped) return;
    const nextMs = typeof waitMs === 'number' ? waitMs : waitMs(runs);
    timer = setTimeout(() => {
      runs++;
      running = Promise.resolve(run()).then(wait);
    }, timerMs(nextMs)).unref();
  }

  wait();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}
