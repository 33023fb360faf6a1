import { existsSync, readFileSync } from 'node:fs';

/**
 * Waits until a condition holds. Fails with a description of the condition after `withinMs`.
 * @param everyMs interval of the checks: long where each check uses a large part of a caller's
 * budget
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

/** Waits until a file, which may not exist yet, contains a text. */
export function untilFileHolds(path: string, text: string): Promise<void> {
  return until(`${path} holds ${text}`, () => existsSync(path) && readFileSync(path, 'utf8').includes(text));
}
