import { existsSync, readFileSync } from 'node:fs';

/**
 * Waits until something holds; fails with what it waited for after `withinMs`.
 * @param everyMs how often it is asked: seldom, where each question costs whoever asks a large part of a budget
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs: number = 60_000,
  everyMs: number = 5,
): Promise<void> {
  const startedMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedMs > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Waits until a file, which may not be there yet, holds a text. */
export function untilFileHolds(path: string, text: string): Promise<void> {
  return until(`${path} holds ${text}`, () => existsSync(path) && readFileSync(path, 'utf8').includes(text));
}
