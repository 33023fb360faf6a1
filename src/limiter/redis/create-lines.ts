import type { Clock } from '../../runtime/clock.js';
import type { Line } from './deadlines.js';
import { isRefusal } from './engine-failure.js';

/** The connections to the nodes of a Redis: when each replied last, for deadlines. */
interface Lines {
  /** That to a node; there is one alone where Redis is no Cluster. */
  to(node: string): Line;
  /** Notes a call and its reply; what Redis refuses is a reply too. */
  track<T>(line: Line, call: Promise<T>): Promise<T>;
  /** Monotonic milliseconds: the last reply of any of them; -Infinity before the first. */
  readonly repliedAtMs: number;
  /** The nodes whose last call failed, or has been without a reply for that long. */
  failing(silentMs: number): string[];
}

export function createLines(clock: Clock): Lines {
  const lines = new Map<string, Line>();
  const failed = new Set<Line>();
  // There is one alone but on a Cluster, where calls for one node come one after the other.
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
        if (!isRefusal(error)) failed.add(line);
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
    get repliedAtMs() {
      return repliedAtMs;
    },
  };
}
