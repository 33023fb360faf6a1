import { type Connections, sqlStateOf } from './db.js';
import { isOutage } from './is-outage.js';

interface ReplicaOptions {
  replica: Connections;
  /** Connections that run a report if the replica cannot. */
  primary: Connections;
  /** Called with the error when the replica stops responding, with undefined when it recovers. */
  onState(error: unknown): void;
  /** Monotonic clock, in milliseconds. */
  clock?: () => number;
}

/** Time after a failure of the replica for which all reports run on the primary, in milliseconds. */
const PAUSE_MS = 5_000;

/**
 * SQLSTATEs of statements that fail on a replica but may succeed on the primary. 40001 is a
 * conflict with replication. The others are tables, columns and functions that a migration has just
 * added.
 */
const ONLY_ON_REPLICAS: ReadonlySet<string | undefined> = new Set(['40001', '42P01', '42703', '42883']);
/** SQLSTATE of a statement that took too long. The primary would need as long for it. */
const CANCELED = '57014';

/**
 * Returns connections for reports, which run on a replica. A report that the replica cannot run is
 * run again on the primary, so a report must not write.
 */
export function readFromReplica({
  replica,
  primary,
  onState,
  clock = () => performance.now(),
}: ReplicaOptions): Connections {
  let awayUntilMs: number | undefined;

  async function run<T>(report: (on: Connections) => Promise<T>): Promise<T> {
    if (awayUntilMs !== undefined && clock() < awayUntilMs) return report(primary);
    try {
      const result = await report(replica);
      if (awayUntilMs !== undefined) onState(undefined);
      awayUntilMs = undefined;
      return result;
    } catch (error) {
      const state = sqlStateOf(error);
      if (ONLY_ON_REPLICAS.has(state)) return report(primary);
      if (state === CANCELED || !isOutage(error)) throw error;
      if (awayUntilMs === undefined) onState(error);
      awayUntilMs = clock() + PAUSE_MS;
      return report(primary);
    }
  }

  return {
    query: (sql, params) => run((on) => on.query(sql, params)),
    tx: (inside, options) => run((on) => on.tx(inside, options)),
  };
}
