import { withGetters } from '../../model/objects/with-getters.js';
import type { Line } from './deadlines.js';

/** The connections to the nodes of a Redis: when each replied last, for deadlines. */
export interface Lines {
  /** That to a node; there is one alone where Redis is no Cluster. */
  to(node: string): Line;
  /** Notes a call and its reply; what Redis refuses is a reply too. */
  track<T>(line: Line, call: Promise<T>): Promise<T>;
  /** Monotonic milliseconds: the last reply of any of them; -Infinity before the first. */
  readonly repliedAtMs: number;
}

export function createLines(clock: () => number): Lines {
  const lines = new Map<string, Line>();
  // There is one alone but on a Cluster, where calls for one node come one after the other.
  let latestNode: string | undefined;
  let latest: Line;
  let repliedAtMs = Number.NEGATIVE_INFINITY;
  return withGetters<Lines, 'repliedAtMs'>(
    {
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
          return value;
        } finally {
          line.calls--;
          line.silentSinceMs = clock();
          line.hasReplied = true;
        }
      },
    },
    {
      get repliedAtMs() {
        return repliedAtMs;
      },
    },
  );
}
