import { setTimeout } from 'node:timers/promises';

/**
 * Sends requests at a fixed rate, regardless of responses (open loop), and returns the elapsed
 * milliseconds. A latency begins at the time at which its request was due, so that a late request
 * counts its delay.
 */
export async function sendAtRate(
  ratePerSecond: number,
  durationMs: number,
  send: (call: number) => Promise<void>,
  latencies: number[],
): Promise<number> {
  const start = performance.now();
  const pending = new Set<Promise<void>>();
  let call = 0;
  for (let now = start; now < start + durationMs; now = performance.now()) {
    for (
      let dueMs = start + (call / ratePerSecond) * 1000;
      dueMs <= now;
      dueMs = start + (call / ratePerSecond) * 1000
    ) {
      const due = dueMs;
      const sent: Promise<void> = send(call++).then(() => {
        latencies.push(performance.now() - due);
        pending.delete(sent);
      });
      pending.add(sent);
    }
    await setTimeout(1);
  }
  await Promise.all(pending);
  return performance.now() - start;
}
