/** Interval between the heartbeats of a process, in milliseconds. */
export const BEAT_MS = 5000;

/** SQL condition on the table `instances` for processes with a heartbeat in the last 15 seconds. */
export const IS_ALIVE = `seen_at > now() - interval '${3 * BEAT_MS} milliseconds'`;
