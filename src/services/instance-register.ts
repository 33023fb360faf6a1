import { randomBytes } from 'node:crypto';
import { MAX_INSTANCES } from '../model/limit-parameters.js';
import type { Db } from '../postgres/db.js';
import { BEAT_MS, IS_ALIVE } from '../postgres/is-alive.js';
import { poll } from '../runtime/poll.js';

/** The health of a process. */
export interface InstanceState {
  /** Number that the process divides each limit by while it decides without Redis: 1 to 1000. */
  divisor: number;
  /** Descriptions of problems that prevent normal operation. */
  problems: readonly string[];
}

/** A running process that uses the database. */
export interface RunningInstance extends InstanceState {
  id: string;
  /** Name under which the process publishes its API. Null if it publishes none. */
  service: string | null;
  /** Version of Tollgate. */
  version: string;
  host: string;
  pid: number;
  startedAt: Date;
  /** Time of the last heartbeat. */
  seenAt: Date;
}

interface InstanceRegisterOptions {
  db: Db;
  version: string;
  host: string;
  /** Names of the features of rules, tiers and keys that this process knows. */
  features: readonly string[];
  /** Service and hash that this process has published. Undefined if it has published nothing. */
  published: { service: string; hash: string } | undefined;
  /**
   * Publishes the policy of this process again. Called if the published policy belongs to a server
   * that no longer runs.
   */
  publish(): Promise<void>;
  stateOf(): InstanceState;
  /**
   * Called with the first error of a series of failures, and with undefined when the heartbeat
   * succeeds again. Must not throw.
   */
  onState(error: unknown): void;
  /** Mean interval between heartbeats, in milliseconds. @default 5000 */
  beatMs?: number;
}

/** Reports that this process runs, with its state. */
export interface InstanceRegister {
  readonly id: string;
  /** Starts the heartbeats. */
  start(): void;
  /** Sends one heartbeat. Rejects when the database does not respond. */
  beat(): Promise<void>;
  /** Stops the heartbeats and removes this process from the register. */
  close(): Promise<void>;
}

const MAX_PROBLEMS = 10;
const MAX_PROBLEM_LENGTH = 500;

/**
 * Creates the register of this process, which sends heartbeats to PostgreSQL. Redis also counts
 * processes, to divide the limits. The register does not use Redis, because the admin API may have
 * only PostgreSQL.
 */
export function createInstanceRegister(options: InstanceRegisterOptions): InstanceRegister {
  const { db, version, host, features, published, publish, stateOf, onState, beatMs = BEAT_MS } = options;
  const id = randomBytes(9).toString('base64url');
  const startedAt = new Date(performance.timeOrigin);
  let beating: Promise<void> = Promise.resolve();
  let isFailing = false;
  let stopBeating: (() => Promise<void>) | undefined;
  let isClosed = false;

  async function beat(): Promise<void> {
    const { divisor, problems } = stateOf();
    const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => problem.slice(0, MAX_PROBLEM_LENGTH));
    // Each heartbeat removes processes without a heartbeat in the last minute. `skip locked`
    // ensures that two heartbeats never wait for each other.
    await db.query(
      `with gone as (
         delete from instances where id in (
           select id from instances where seen_at < now() - interval '1 minute' limit 100 for update skip locked)
       )
       insert into instances (id, service, published_hash, version, host, pid, divisor, problems, started_at, features)
       values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10::text[])
       on conflict (id) do update set divisor = excluded.divisor, problems = excluded.problems, seen_at = now()`,
      [
        id,
        published?.service ?? null,
        published?.hash ?? null,
        version,
        host,
        process.pid,
        Math.min(MAX_INSTANCES, Math.max(1, Math.round(divisor))),
        JSON.stringify(shown),
        startedAt,
        features,
      ],
    );
    if (published) await keepPublished(published);
  }

  /**
   * Publishes the policy of this process again if no running process has published the current one.
   * For example, a trial server may have replaced the policy and then ended.
   */
  async function keepPublished({ service, hash }: { service: string; hash: string }): Promise<void> {
    const [found] = await db.query<{ isOfRunning: boolean; isOld: boolean }>(
      `select hash = $2 or exists (
           select 1 from instances i where i.service = p.service and i.published_hash = p.hash and i.${IS_ALIVE}
         ) as "isOfRunning",
         seen_at < now() - interval '1 minute' as "isOld"
       from service_policies p where service = $1`,
      [service, hash],
    );
    if (!found?.isOfRunning) return publish();
    if (found.isOld) await db.query('update service_policies set seen_at = now() where service = $1', [service]);
  }

  function beatNow(): Promise<void> {
    beating = beat().then(
      () => {
        if (isFailing) onState(undefined);
        isFailing = false;
      },
      (error: unknown) => {
        if (!isFailing && !isClosed) onState(error);
        isFailing = true;
      },
    );
    return beating;
  }

  return {
    id,
    start() {
      void beatNow();
      stopBeating = poll(beatNow, () => beatMs * (0.8 + Math.random() * 0.4));
    },
    beat,
    async close() {
      isClosed = true;
      await Promise.all([stopBeating?.(), beating]);
      // If the database is unavailable, the entry expires a little later.
      if (stopBeating && !isFailing) await db.query('delete from instances where id = $1', [id]).catch(() => {});
    },
  };
}

/** Returns the running processes, grouped by service, oldest first. */
export function readInstances(db: Pick<Db, 'query'>, limit: number): Promise<RunningInstance[]> {
  return db.query<RunningInstance>(
    `select id, service, version, host, pid, divisor, problems, started_at as "startedAt", seen_at as "seenAt"
     from instances where ${IS_ALIVE} order by service collate "C" nulls first, started_at, id limit $1`,
    [limit],
  );
}
