import { DatabaseError } from './connect.js';

/** Class of a failure of a call to Redis: label `class` of `tollgate_engine_errors_total`. */
export type EngineErrorClass =
  | 'deadline'
  | 'connection'
  | 'loading'
  | 'busy'
  | 'read_only'
  | 'out_of_memory'
  | 'not_durable'
  | 'cluster'
  | 'auth'
  | 'script'
  | 'unknown';

/** A call to Redis that failed: a charge, which this process then decided, or any other call. */
export interface EngineFailure {
  /** Pool of the Redis; `default` if none are named. */
  pool: string;
  class: EngineErrorClass;
  /** Whether an operator has to act, because Redis does not recover from the failure by itself. */
  alarm: boolean;
  error: unknown;
}

/** Error of a call without a reply in time. It is unknown whether Redis executed the call. */
export class DeadlineError extends Error {
  constructor(
    deadlineMs: number,
    /**
     * Whether Redis replied to other calls in the meantime. A queue that is too long does not show
     * that Redis fails.
     */
    readonly isQueued: boolean,
  ) {
    super(`Redis did not reply in time (deadlineMs: ${deadlineMs})`);
    this.name = 'DeadlineError';
  }
}

/**
 * Error of a charge that was given up and denied here, so that its remaining calls are not sent. It
 * does not indicate a failure of Redis.
 */
export class GivenUpError extends Error {
  constructor() {
    super('the call was abandoned');
    this.name = 'GivenUpError';
  }
}

/**
 * Class by the first word of an error reply. With each of these, Redis executed nothing: it rejects
 * the call before it runs a script, and Tollgate's scripts decide before they write.
 */
const REPLIES: Readonly<Record<string, EngineErrorClass>> = {
  // Wrong or missing credentials, or a user without permission for what the scripts do.
  NOAUTH: 'auth',
  WRONGPASS: 'auth',
  NOPERM: 'auth',
  // Redis is loading its data from disk after a start. It accepts commands when that is done.
  LOADING: 'loading',
  // A script of another program has been running for long.
  BUSY: 'busy',
  // A replica, or a demoted primary: the connection has to find the new primary.
  READONLY: 'read_only',
  // maxmemory with noeviction.
  OOM: 'out_of_memory',
  // Redis cannot save or has too few replicas, and is configured to reject writes then.
  MISCONF: 'not_durable',
  NOREPLICAS: 'not_durable',
  // Hash slots without a primary, or hash slots that moved until the redirections of a call were
  // used up.
  CLUSTERDOWN: 'cluster',
  MASTERDOWN: 'cluster',
  TRYAGAIN: 'cluster',
  MOVED: 'cluster',
  ASK: 'cluster',
  ELSEWHERE: 'cluster',
  // A mistake in Tollgate, a server that is too old, or a proxy that does not support scripts.
  NOSCRIPT: 'script',
  CROSSSLOT: 'script',
  WRONGTYPE: 'script',
  TOLLGATE: 'script',
  // The clock of Redis jumped by more than a period of a calendar window during a call.
  PERIODS: 'script',
  ERR: 'script',
};

/**
 * Failures without an error reply, by the code of Node or the message of ioredis. Redis may have
 * executed the call.
 */
const CONNECTION_CODES = /^E(CONN\w+|PIPE|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|TIMEDOUT|AI_AGAIN|NOTFOUND|ADDR\w+)$/;
const CONNECTION_WORDS =
  /Connection is closed|isn't writeable|max retries per request|ended|[Ss]ocket|connect|Command timed out|All sentinels/;

/** Returns the class of an error of a call to Redis or of the connection. */
export function classify(error: unknown): EngineErrorClass {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof DeadlineError) return 'deadline';
  if (error instanceof DatabaseError) return 'auth';
  // ioredis throws this error if it could query no node of a cluster, and attaches the cause.
  if ('lastNodeError' in error && error.lastNodeError instanceof Error) return classify(error.lastNodeError);
  const { message } = error;
  if (message.startsWith('ERR max number of clients')) return 'connection';
  const reply = REPLIES[/^[A-Z]+(?= |$)/.exec(message)?.[0] ?? ''];
  if (reply) return reply;
  if (message.includes('Too many Cluster redirections') || message.includes('slots cache')) return 'cluster';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return CONNECTION_CODES.test(code) || CONNECTION_WORDS.test(message) ? 'connection' : 'unknown';
}

/**
 * Returns whether Redis itself rejected the call, so that it is known that Redis executed nothing.
 */
export function isRejection(error: unknown): boolean {
  const errorClass = classify(error);
  return errorClass !== 'deadline' && errorClass !== 'connection' && errorClass !== 'unknown';
}

/** Returns whether an operator has to act, because Redis does not recover by itself. */
export function isAlarming(errorClass: EngineErrorClass): boolean {
  return errorClass === 'auth' || errorClass === 'script';
}
