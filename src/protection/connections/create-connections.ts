import type { GraphQLError } from 'graphql';
import type { LimitCharge } from '../../limiter/charge/create-limit-compiler.js';
import type { Denial } from '../../limiter/charge/decision.js';
import type { ProtectionLimiter } from '../../limiter/create-limiter.js';
import type { OpenStream } from '../../model/open-stream.js';
import { hasScope, rootOf, type Scope, type Subject, sharedByAll } from '../../model/subject.js';
import type { UsageRecord } from '../../model/usage-record.js';
import type { PoolFinder } from '../../rules/matching/pool-finder.js';
import type { BoundLimit, Ruleset } from '../../rules/matching/ruleset.js';
import type { Clock } from '../../runtime/clock.js';
import { type Answer, answerOf } from '../answer/answer-of.js';
import { denialError } from '../answer/denial-error.js';
import { outcomesOf } from '../answer/limit-outcome.js';
import { idleCharge } from '../charge-binder.js';
import { unpricedRecord } from '../charge-fee.js';
import { callerNames, describeStream } from '../slots/describe-stream.js';
import { type EndReason, leaseOf, type OpenSubscriptions } from '../slots/open-subscriptions.js';
import { withoutExcessShadows } from '../too-many-limits-error.js';

/** A WebSocket that a client asks to open. */
interface ConnectionRequest {
  subject: Subject;
  /** Name of the client program, for rules with `match.clients`. */
  client?: string | undefined;
  isAgentClient?: boolean | undefined;
  /**
   * Limits to charge. `ADDRESS`: those that do not depend on who the caller is, before the caller is
   * known. `CALLER`: the others. @default 'ALL'
   */
  part?: 'ADDRESS' | 'CALLER' | 'ALL';
  /**
   * List entry of a connection that its handshake has registered by address. The names of the
   * identified caller are added to it.
   */
  stream?: OpenStream | undefined;
  /** Closes the connection. Called when the server stops, or an administrator ends the connection. */
  end(reason: EndReason): void;
}

/** A connection that may open. It holds its slots until `close`. */
interface AdmittedConnection {
  readonly admitted: true;
  readonly stream: OpenStream;
  /** Frees the slots. Call it when the connection has closed. Idempotent. */
  close(): void;
}

interface DeniedConnection {
  readonly admitted: false;
  readonly error: GraphQLError;
  /** Response to the upgrade request: 429 with `Retry-After`. */
  readonly answer: Answer;
}

/** Decides whether WebSockets may open, by the rules with the measure `CONNECTIONS`. */
export interface Connections {
  /**
   * Takes the slots of a connection. They are renewed until `close`. If the process is killed, they
   * expire.
   */
  open(request: ConnectionRequest): Promise<AdmittedConnection | DeniedConnection>;
  /** Number of open connections, including those without a limit. */
  readonly count: number;
}

interface ConnectionsOptions {
  limiter: Pick<ProtectionLimiter, 'charge' | 'release'>;
  ruleset(): Ruleset;
  mode: 'ENFORCE' | 'SHADOW';
  /** @default all connections use the default Redis */
  poolFinder?: PoolFinder | undefined;
  /** Register in which open connections are renewed. */
  register: Pick<OpenSubscriptions, 'add'>;
  /** Clock of the records and denials, in epoch milliseconds. */
  now: Clock;
  /** Receives the record of every denied connection. Must not throw. */
  onAnswer?: ((record: UsageRecord) => void) | undefined;
  onError(error: unknown): void;
}

interface Charged {
  limits: readonly BoundLimit[];
  charges: readonly LimitCharge[];
}

/** Creates the function that decides about the connections of a process. */
export function createConnections(options: ConnectionsOptions): Connections {
  const { limiter, ruleset, mode, poolFinder, register, now, onAnswer, onError } = options;

  function denied(request: ConnectionRequest, { limits, charges }: Charged, decision: Denial): DeniedConnection {
    const tier = ruleset().tier(request.subject.tier);
    const outcomes = outcomesOf(limits, decision.limits);
    onAnswer?.(unpricedRecord(request, { atMs: now(), tier, cost: 0, charges, decision, outcomes }));
    const error = denialError({
      decision,
      outcomes,
      costOf: () => 1,
      mostExpensivePaths: () => [],
      nowMs: now(),
      // A client of WebSockets reads no body, so the status alone reports the denial.
      denialStatus: 429,
      detail: tier.answer,
    });
    return { admitted: false, error, answer: answerOf({ errors: [error] }, undefined) };
  }

  let count = 0;

  function admitted(
    { part, end, subject, client, stream: listed }: ConnectionRequest,
    held: Parameters<typeof register.add>[0],
    free: () => void,
  ): AdmittedConnection {
    const stream = listed ?? describeStream(subject, { kind: 'CONNECTION', client, transport: 'WEBSOCKET' });
    if (listed) Object.assign(listed, callerNames(subject));
    const unregister = register.add(held, end, listed ? undefined : stream);
    // The address of this connection has already been admitted, and the connection counted.
    const counted = part === 'CALLER' ? 0 : 1;
    count += counted;
    let isOpen = true;
    return {
      admitted: true,
      stream,
      close() {
        if (!isOpen) return;
        isOpen = false;
        count -= counted;
        unregister();
        free();
      },
    };
  }

  return {
    get count() {
      return count;
    },
    async open(request) {
      const { subject } = request;
      const rules = ruleset();
      const charged = connectionCharges(rules, request, mode);
      const { limits, charges } = charged;
      if (charges.length === 0) return admitted(request, {}, () => {});
      const pool = poolFinder?.ofRejections({ subject, tier: rules.tier(subject.tier).name })?.name;
      const decision = await limiter.charge({ subject, limits: charges, pool, wait: false });
      if (!decision.admitted) return denied(request, charged, decision);
      const { receipt } = decision;
      return admitted(request, { receipt, leaseMs: leaseOf(limits) }, () => {
        void limiter.release(receipt).catch(onError);
      });
    },
  };
}

/** Returns the limits on the connections of a caller, each with a charge of one slot. */
function connectionCharges(
  ruleset: Ruleset,
  { subject, client, isAgentClient, part = 'ALL' }: ConnectionRequest,
  mode: 'ENFORCE' | 'SHADOW',
): Charged {
  const all = ruleset
    .bindAll(ruleset.tier(subject.tier))
    .select({ subject, root: rootOf(subject), client, isAgentClient });
  const limits = all.filter(
    ({ measure, scope }) =>
      measure === 'CONNECTIONS' && hasScope(subject, scope) && (part === 'ALL' || part === partOf(scope)),
  );
  const charges = limits.map((limit): LimitCharge => {
    const charge = { ...idleCharge(limit), cost: 1 };
    return mode === 'SHADOW' ? { ...charge, mode } : charge;
  });
  return withoutExcessShadows({ limits, charges });
}

function partOf(scope: Scope): 'ADDRESS' | 'CALLER' {
  return scope === 'IP' || sharedByAll(scope) ? 'ADDRESS' : 'CALLER';
}
