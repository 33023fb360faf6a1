import type { Clock } from '../../runtime/clock.js';
import type { Line } from './deadlines.js';
import { isRejection } from './engine-failure.js';

/**
 * The connections to the nodes of a Redis. Each has the time of its last reply, which deadlines
 * need.
 */
interface Lines {
  /** Returns the connection (line) to a node. Without a Cluster there is only one. */
  to(node: string): Line;
  /** Records a call and its reply. An error reply of Redis is a reply too. */
  track<T>(line: Line, call: Promise<T>): Promise<T>;
  /**
   * Time of the last reply of any node, except errors, in monotonic milliseconds; -Infinity before
   * the first.
   */
  repliedAtMs(): number;
  /** Returns the nodes whose last call failed, or has had no reply for `silentMs`. */
  failing(silentMs: number): string[];
}

export function createLines(clock: Clock): Lines {
  const lines = new Map<string, Line>();
  const failed = new Set<Line>();
  // Cache of the last look-up. Only a Cluster has several lines, and its calls for one node come in
  // succession.
  let latestNode: string | undefined;
  let latest: Line;
  let repliedAtMs = Number.NEGATIVE_INFINITY;
  return {
    to(node) {
      if (node === latestNode) return latest;
      let line = lines.get(node);
      if (line === undefined) {
        line = { calls: 0, silentSinceMs: 0, hasReplied: false };
        lines.set(node, line);
      }
      latestNode = node;
      latest = line;
      return line;
    },

    async track(line, call) {
      if (line.calls++ === 0) {
        line.silentSinceMs = clock();
        line.hasReplied = false;
      }
      try {
        const value = await call;
        repliedAtMs = clock();
        if (failed.size > 0) failed.delete(line);
        return value;
      } catch (error) {
        if (!isRejection(error)) failed.add(line);
        throw error;
      } finally {
        line.calls--;
        line.silentSinceMs = clock();
        line.hasReplied = true;
      }
    },

    failing(silentMs) {
      const isSilent = ({ calls, silentSinceMs }: Line) => calls > 0 && clock() - silentSinceMs >= silentMs;
      return [...lines].filter(([, line]) => failed.has(line) || isSilent(line)).map(([node]) => node);
    },
    repliedAtMs: () => repliedAtMs,
  };
}
