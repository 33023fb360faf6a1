import { existsSync, readFileSync } from 'node:fs';

/** Waits until something holds, asking every few milliseconds; fails with what it waited for after `withinMs`. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs: number = 60_000,
): Promise<void> {
  const startedMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedMs > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits until a file, which may not be there yet, holds a text. */
export function untilFileHolds(path: string, text: string): Promise<void> {
  return until(`${path} holds ${text}`, () => existsSync(path) && readFileSync(path, 'utf8').includes(text));
}
