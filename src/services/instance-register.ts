import { randomBytes } from 'node:crypto';
import { MAX_INSTANCES } from '../model/limit-parameters.js';
import type { Db } from '../postgres/db.js';
import { poll } from '../runtime/poll.js';

/** How a process is doing. */
export interface InstanceState {
  /** What it divides each limit by while it decides without Redis: 1 to 1000. */
  divisor: number;
  /** What keeps it from working as it should, in words. */
  problems: readonly string[];
}

/** A process that runs on the database. */
export interface RunningInstance extends InstanceState {
  id: string;
  service: string | null;
  version: string;
  host: string;
  pid: number;
  startedAt: Date;
  seenAt: Date;
}

interface InstanceRegisterOptions {
  db: Db;
  version: string;
  host: string;
  /** What this process has published; undefined: nothing. */
  published: { service: string; hash: string } | undefined;
  /** Publishes it again: what is there is of a server that does not run any more. */
  publish(): Promise<void>;
  stateOf(): InstanceState;
  /** Called with the first of failures on end; undefined: it succeeds again. Must not throw. */
  onState(error: unknown): void;
  /** @default 5000 */
  beatMs?: number;
}

/** Says that this process runs, and which others do. */
export interface InstanceRegister {
  readonly id: string;
  /** Says so from now on. */
  start(): void;
  /** Says so once. Rejects when the database does not answer. */
  beat(): Promise<void>;
  /** Says that it leaves. */
  close(): Promise<void>;
}

const BEAT_MS = 5000;
/** Who has not been seen for so long is taken for dead. */
const ALIVE_MS = 3 * BEAT_MS;
const MAX_PROBLEMS = 10;
const MAX_PROBLEM_LENGTH = 500;

/** Those whose last heartbeat is not older than this, in SQL. */
const IS_ALIVE = `seen_at > now() - interval '${ALIVE_MS} milliseconds'`;

/**
 * The heartbeats of this process in PostgreSQL. Redis counts processes too, for their shares of the limits, and knows nothing
 * else of them; and what administers them has a PostgreSQL, and not always a Redis.
 */
export function createInstanceRegister(options: InstanceRegisterOptions): InstanceRegister {
  const { db, version, host, published, publish, stateOf, onState, beatMs = BEAT_MS } = options;
  const id = randomBytes(9).toString('base64url');
  const startedAt = new Date(performance.timeOrigin);
  let beating: Promise<void> = Promise.resolve();
  let isFailing = false;
  let stopBeating: (() => Promise<void>) | undefined;
  let isClosed = false;

  async function beat(): Promise<void> {
    const { divisor, problems } = stateOf();
    const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => problem.slice(0, MAX_PROBLEM_LENGTH));
    // Those that are gone are removed by the first that comes: `skip locked`, so that two never wait for each other.
    await db.query(
      `with gone as (
         delete from instances where id in (
           select id from instances where seen_at < now() - interval '1 minute' limit 100 for update skip locked)
       )
       insert into instances (id, service, published_hash, version, host, pid, divisor, problems, started_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9)
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
      ],
    );
    if (published) await keepPublished(published);
  }

  /** What a server that was tried out and ended has published must not stay as long as this one runs on. */
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
      // One that the database does not hear of is gone a little later.
      if (stopBeating && !isFailing) await db.query('delete from instances where id = $1', [id]).catch(() => {});
    },
  };
}

/** The processes that run, those of one service together, the oldest first. */
export function readInstances(db: Pick<Db, 'query'>, limit: number): Promise<RunningInstance[]> {
  return db.query<RunningInstance>(
    `select id, service, version, host, pid, divisor, problems, started_at as "startedAt", seen_at as "seenAt"
     from instances where ${IS_ALIVE} order by service collate "C" nulls first, started_at, id limit $1`,
    [limit],
  );
}
