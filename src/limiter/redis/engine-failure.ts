import { DatabaseError } from './connect.js';

/** What kind of failure kept Redis from deciding; the label of the metric. */
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

/** A failure of Redis that was turned into a decision. */
export interface EngineFailure {
  /** The pool whose Redis it is; `default` where none are named. */
  pool: string;
  class: EngineErrorClass;
  /** It does not heal by itself: an operator has to look at once. */
  alarm: boolean;
  error: unknown;
}

/** Redis did not answer in time: whether the call was executed is not known. */
export class DeadlineError extends Error {
  constructor(
    deadlineMs: number,
    /** Redis replied to others meanwhile: a queue that is too long says nothing about what it leads to. */
    readonly isQueued: boolean,
  ) {
    super(`no answer within ${deadlineMs} ms`);
    this.name = 'DeadlineError';
  }
}

/** What is left of a call that was given up, and refused here, is not asked for: that says nothing of Redis. */
export class GivenUpError extends Error {
  constructor() {
    super('given up');
    this.name = 'GivenUpError';
  }
}

/**
 * What the first word of an error reply means. Of all of these nothing was executed: Redis refuses before it runs a
 * script, and a script of ours decides before it writes.
 */
const REPLIES: Readonly<Record<string, EngineErrorClass>> = {
  // Wrong or missing credentials, or a user who may not do what the scripts do.
  NOAUTH: 'auth',
  WRONGPASS: 'auth',
  NOPERM: 'auth',
  // It reads its file after a start; it answers when it is through.
  LOADING: 'loading',
  // Another program's script has been running for long.
  BUSY: 'busy',
  // A replica, or a primary that was demoted: the connection has to find the new one.
  READONLY: 'read_only',
  // maxmemory with noeviction.
  OOM: 'out_of_memory',
  // It cannot save, or has too few replicas, and is told to refuse writes then.
  MISCONF: 'not_durable',
  NOREPLICAS: 'not_durable',
  // Slots without a primary, or on the move for longer than a call was redirected.
  CLUSTERDOWN: 'cluster',
  MASTERDOWN: 'cluster',
  TRYAGAIN: 'cluster',
  MOVED: 'cluster',
  ASK: 'cluster',
  ELSEWHERE: 'cluster',
  // A mistake of ours, a server too old, or a proxy that does not know scripts.
  NOSCRIPT: 'script',
  CROSSSLOT: 'script',
  WRONGTYPE: 'script',
  TOLLGATE: 'script',
  ERR: 'script',
};

/** What has no error reply, by the code of Node or the words of ioredis. The call may have been executed. */
const CONNECTION_CODES = /^E(CONN\w+|PIPE|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|TIMEDOUT|AI_AGAIN|NOTFOUND|ADDR\w+)$/;
const CONNECTION_WORDS =
  /Connection is closed|isn't writeable|max retries per request|ended|[Ss]ocket|connect|Command timed out|All sentinels/;

/** Names the class of an error that a call to Redis, or the connection, has failed with. */
export function classify(error: unknown): EngineErrorClass {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof DeadlineError) return 'deadline';
  if (error instanceof DatabaseError) return 'auth';
  // What a cluster says when no node could be asked; the reason is beside it.
  if ('lastNodeError' in error && error.lastNodeError instanceof Error) return classify(error.lastNodeError);
  const { message } = error;
  if (message.startsWith('ERR max number of clients')) return 'connection';
  const reply = REPLIES[/^[A-Z]+(?= |$)/.exec(message)?.[0] ?? ''];
  if (reply) return reply;
  if (message.includes('Too many Cluster redirections') || message.includes('slots cache')) return 'cluster';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return CONNECTION_CODES.test(code) || CONNECTION_WORDS.test(message) ? 'connection' : 'unknown';
}

/** Whether it is known that nothing of the call was executed, as Redis itself has said so. */
export function isRefusal(error: unknown): boolean {
  const errorClass = classify(error);
  return errorClass !== 'deadline' && errorClass !== 'connection' && errorClass !== 'unknown';
}

export function isAlarming(errorClass: EngineErrorClass): boolean {
  return errorClass === 'auth' || errorClass === 'script';
}
