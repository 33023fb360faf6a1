import { type DocumentNode, type GraphQLError, getOperationAST } from 'graphql';
import type { CostPlan } from '../cost/cost-plan.js';
import { CostError } from '../cost/values/cost-error.js';
import type { DecisionRecord } from '../model/decision-record.js';
import { countableSubject, type Subject } from '../model/subject.js';
import { isPromise } from '../runtime/is-promise.js';
import { type StopSignal, waitFor } from '../runtime/wait-for.js';
import { asksForReport } from './answer/asks-for-report.js';
import type { AnswerParts } from './answer/cost-extension.js';
import { clientGoneError, noRootTypeError, noSuchOperation } from './answer/denial-error.js';
import { isSlotLimit } from './answer/is-slot-limit.js';
import { offersRateLimit, setRateLimit } from './answer/rate-limit-numbers.js';
import { answerOperation, partsOf } from './answer-operation.js';
import type { BatchPlace } from './batch-place.js';
import type { FeeOutcome, FeeRequest } from './charge-fee.js';
import { decideOperation, decideUnvalidated, rejectByPrice } from './decide-operation.js';
import type { Execution, Operation, OperationOutcome, OperationRequest } from './operation.js';
import { OPERATION_TYPES, priceOperation, rateLimitNumbers } from './price-operation.js';
import type { Protection } from './protection.js';
import type { RunningResolvers } from './slots/running-resolvers.js';
import { hasResolvers } from './slots/watch-resolvers.js';
import { watchSlots } from './slots/watch-slots.js';

const UNKNOWN = Symbol('unknown');

/** The outcome of an operation whose result is unknown. */
const LOST: OperationOutcome = {
  data: undefined,
  errors: undefined,
  document: undefined,
  isIncremental: false,
  isLost: true,
  whenAnswered: (done) => done(),
};

/** A request that was parsed, and neither validated nor priced. */
type UnvalidatedRequest = Omit<OperationRequest, 'operation'>;

/**
 * What an adapter asks for one request. `begin` prices and decides the operation before anything runs, `execute` marks it as running, and
 * `finish` answers: it settles the charge before the answer goes out. `reject` charges the fee of what never got a price. Nothing here
 * knows a server. A class, as every request makes one.
 */
export class ProtectedOperation<Context extends object> {
  readonly #protection: Protection<Context>;
  readonly #contextValue: Context;
  readonly #place: BatchPlace | undefined;
  /** Set once it is priced. */
  #operation: Operation | undefined;
  /** Who is asking, once that is known; `UNKNOWN` where they were asked for and could not be named. */
  #subject: Subject | typeof UNKNOWN | undefined;
  #found: ReturnType<Protection<Context>['identify']> | undefined;
  /** A denial before validation. */
  #foreseen: { record: DecisionRecord; outcome: FeeOutcome } | undefined;
  /** Of an operation that was priced before it was validated. */
  #costPlan: CostPlan | undefined;
  #failure: { error: unknown } | undefined;
  /** Of an operation that holds a concurrency slot. */
  #running: RunningResolvers | undefined;
  /** Whether it is known to be executed by resolvers of this process. */
  #resolvesHere = false;
  /** Stops ending it with its client. */
  #outliveClient: (() => void) | undefined;
  /** What its answer says, once it has ended. */
  #parts: AnswerParts | undefined;
  /** Aborted when its client is gone. Undefined: asked of its context. */
  signal: StopSignal | undefined;

  constructor(protection: Protection<Context>, contextValue: Context) {
    this.#protection = protection;
    this.#contextValue = contextValue;
    this.#place = protection.batchPlace(contextValue);
  }

  /** It has a price, whatever became of it: `finish` says its answer, else `reject` does. */
  get isPriced(): boolean {
    return this.#operation !== undefined;
  }

  /** Whether it was let in, and something else than Tollgate kept it from running. */
  get wasStopped(): boolean {
    const operation = this.#operation;
    return operation?.decision?.admitted === true && !this.hasEnded && !operation.executed && !operation.validateOnly;
  }

  get isAdmitted(): boolean {
    return this.#operation?.decision?.admitted === true;
  }

  /** Whether it was settled. What has ended must not be executed. */
  get hasEnded(): boolean {
    return this.#parts !== undefined;
  }

  /** What its answer says of cost and quota, once it has ended. */
  get parts(): AnswerParts | undefined {
    return this.#parts;
  }

  /** It is only priced: nothing of it is to run but its `rateLimit` field, where it asks for that. */
  get dryRun(): { document: DocumentNode | undefined } | undefined {
    return this.#operation?.validateOnly ? { document: this.#operation.dryRun } : undefined;
  }

  /**
   * Returns why a document that has not been validated does not pass, valid or not: validation takes many times as long as pricing.
   * Undefined where it may pass, and in a batch.
   */
  async foresee(request: UnvalidatedRequest): Promise<GraphQLError | undefined> {
    return (await this.#foreseeDenial(request)) ?? this.#foreseePrice(request);
  }

  /** Denies whatever a sender asks for who is known to have too few tokens for the fee and for the cheapest operation. */
  async #foreseeDenial({ document, operationName, header }: UnvalidatedRequest): Promise<GraphQLError | undefined> {
    const { limiter, chargeFee, ruleset, minimumCost, mode } = this.#protection;
    if (this.#place || !limiter.knowsDenials) return undefined;
    const startedMs = performance.now();
    try {
      const subject = countableSubject(await this.#identify(header));
      const client = header('apollographql-client-name');
      if (!chargeFee.isDenied({ ruleset: ruleset(), subject, client }, minimumCost)) return undefined;
      // The denial is from a moment ago: where there is room again, the request goes on as any other.
      const outcome = await this.#chargeFee(header, subject, { refundIfPaid: true });
      if (!outcome.denial) return undefined;
      this.#subject = subject;
      const operation = getOperationAST(document, operationName);
      const record: DecisionRecord = {
        subject,
        tier: outcome.parts.tier.name,
        operationType: OPERATION_TYPES[operation?.operation ?? 'query'],
        operationName: operation?.name?.value,
        requestedCost: 0,
        chargedCost: 0,
        denial: 'THROTTLED',
        deniedBy: outcome.deniedBy,
        shadowDeniedBy: [],
        degraded: outcome.parts.degraded,
        durationMs: performance.now() - startedMs,
        mode,
      };
      this.#foreseen = { record, outcome };
      return outcome.denial;
    } catch {
      // The error is reported where the operation begins.
      return undefined;
    }
  }

  /**
   * Rejects or denies by the price, the variables or the number of limits. Pricing skips what the schema does not have. The document pays
   * as it would after validation. Undefined also where functions have a say in the price, as they are called for valid operations only.
   */
  async #foreseePrice({ operationName, ...request }: UnvalidatedRequest): Promise<GraphQLError | undefined> {
    const { document, schema, header } = request;
    const operation = getOperationAST(document, operationName);
    if (!operation) return operationName ? noSuchOperation(operationName) : undefined;
    if (!schema.getRootType(operation.operation)) return noRootTypeError(operation.operation);
    if (this.#place || this.#protection.mode === 'SHADOW') return undefined;
    const startedMs = performance.now();
    let priced: Operation;
    try {
      const subject = countableSubject(await this.#identify(header));
      const name = operationName ?? operation.name?.value ?? null;
      const costPlan = this.#protection.analyzer.compile(document, name, request.documentHash);
      if (costPlan.asksFunctions) return undefined;
      this.#costPlan = costPlan;
      priced = this.#price({ ...request, operation, operationName: name }, subject, startedMs);
    } catch (error) {
      // Any other error is reported where the operation begins.
      return error instanceof CostError ? error : undefined;
    }
    if (priced.validateOnly) return undefined;
    const error = await decideUnvalidated(this.#protection, priced);
    if (!error) return undefined;
    this.#checkTier(priced.subject);
    this.#subject = priced.subject;
    this.#operation = priced;
    return error;
  }

  /**
   * Prices and charges it. Resolves to the error of its answer where it is denied, and rejects with what the client did
   * wrong, as a GraphQLError. One function for the whole way, and no promise but where there is something to wait for:
   * every request passes here.
   */
  async begin(request: OperationRequest): Promise<GraphQLError | undefined> {
    // graphql-js validates such an operation, and fails when it runs: it has no price, and is refused for the fee.
    const { operation: type } = request.operation;
    if (!request.schema.getRootType(type)) return noRootTypeError(type);
    const startedMs = performance.now();
    const { limiter } = this.#protection;
    this.#subject = UNKNOWN;
    const found = this.#identify(request.header);
    const subject = countableSubject(isPromise(found) ? await found : found);
    this.#subject = subject;
    this.#checkTier(subject);
    const operation = this.#price(request, subject, startedMs);
    const joint = this.#place && (await this.#place.join(operation));
    if (joint) {
      const { limits, charges, requested, pool } = joint;
      Object.assign(operation, { limits, charges, requested, pool });
    }
    this.#operation = operation;
    if (operation.detail !== 'NONE' && offersRateLimit(request.schema))
      setRateLimit(this.#contextValue, () => rateLimitNumbers(operation));
    const rejected = rejectByPrice(this.#protection, operation);
    if (rejected) return rejected;
    const decision = await (joint?.charge(limiter, subject) ??
      limiter.charge({ subject, limits: operation.charges, pool: operation.pool?.name }));
    const denied = decideOperation(this.#protection, operation, decision);
    if (denied || !decision.admitted) return denied;
    const turn = limiter.turn(decision);
    if (turn) await turn;
    if (decision.delayMs > 0 && !(await waitFor(decision.delayMs, this.#abortSignal))) {
      // Nothing has run: what was charged is refunded when the unread answer is sent.
      return clientGoneError();
    }
    if (operation.bound.limits.some(isSlotLimit)) this.#endWithClient();
    return undefined;
  }

  /**
   * Marks the operation as running. Returns what to do while it runs, or undefined where that is nothing.
   * @param by the execution, where it is known
   * @throws where the operation has ended: its charge has been settled without it
   */
  execute({ schema, contextValue = this.#contextValue, fieldResolver, isExecutedBySchema }: Execution) {
    const operation = this.#operation;
    if (!operation) return undefined;
    if (this.hasEnded) throw clientGoneError();
    operation.executed = true;
    const { typed } = operation.costPlan;
    this.#running = watchSlots(operation.bound.limits, { schema, contextValue, fieldResolver });
    this.#resolvesHere = isExecutedBySchema && this.#running !== undefined && hasResolvers(schema);
    return typed;
  }

  /** It was to be executed elsewhere, and has certainly never begun: `finish` refunds all. */
  hasNotRun(): void {
    if (this.#operation) this.#operation.executed = false;
  }

  /** Corrects the charge to what was produced, and returns what the answer says. Called again, it returns the same. */
  finish(outcome: OperationOutcome): AnswerParts {
    this.#parts ??= this.#end(outcome);
    return this.#parts;
  }

  /**
   * Ends the operation without a result: the estimate of what has been executed stands, and what has not is refunded. Its
   * slots are free when its last resolver has ended. Does nothing after `finish`.
   */
  abandon(): void {
    if (!this.#operation || this.hasEnded) return;
    this.#running?.shut();
    this.finish(LOST);
  }

  /**
   * Ends an operation with its client, as its answer may never come: a hook of another plugin may never settle. One that is
   * executed elsewhere, without a resolver here, holds its slots until its answer comes or their `leaseMs` ends.
   */
  #endWithClient(): void {
    const signal = this.#abortSignal;
    if (!signal || signal.aborted) return;
    const onGone = () => {
      const isElsewhere = this.#operation?.executed && !this.#running?.hasBegun && !this.#resolvesHere;
      if (!isElsewhere) this.abandon();
    };
    signal.addEventListener('abort', onGone);
    this.#outliveClient = () => signal.removeEventListener('abort', onGone);
  }

  #end(outcome: OperationOutcome): AnswerParts {
    this.#outliveClient?.();
    return answerOperation(this.#protection, this.#operation!, {
      outcome,
      running: this.#running,
      place: this.#place,
      isClientGone: this.#abortSignal?.aborted ?? false,
    });
  }

  /** Returns what can be said before `finish`, for an answer that begins before all of it has come. */
  partsOfCharge(): AnswerParts {
    return partsOf(this.#protection, this.#operation!);
  }

  /**
   * Charges the fee of a rejected request. Its operation never got a price, or was refunded as it never ran. Resolves to what the
   * answer says, with a denial in place of the errors where the caller cannot pay. Undefined: there is no caller to charge. The fee of
   * a bad credential is charged to the address that sent it.
   */
  async reject(header: OperationRequest['header']): Promise<FeeOutcome | undefined> {
    this.#place?.leave();
    if (this.#foreseen) {
      this.#protection.operations.onDecision(this.#foreseen.record);
      return this.#foreseen.outcome;
    }
    const subject = await this.#payerOf(header);
    if (!subject) return undefined;
    try {
      return await this.#chargeFee(header, subject);
    } catch (error) {
      this.#protection.onError(error);
      return undefined;
    }
  }

  #chargeFee(
    header: OperationRequest['header'],
    subject: Subject,
    { refundIfPaid }: Pick<FeeRequest, 'refundIfPaid'> = {},
  ): Promise<FeeOutcome> {
    const { chargeFee, ruleset: current, mayReportCost } = this.#protection;
    const ruleset = current();
    const tier = ruleset.tier(subject.tier);
    const detail = asksForReport(header('graphql-cost'), { tier, subject, mayReportCost }) ? 'FULL' : tier.answer;
    return chargeFee({ ruleset, subject, client: header('apollographql-client-name'), detail, refundIfPaid });
  }

  /** Undefined: the settlement is on its way; else to be waited for before the answer goes out. */
  settlementSent(): Promise<void> | undefined {
    return this.#operation && this.#protection.limiter.settlementsSent();
  }

  get #abortSignal(): StopSignal | undefined {
    return this.signal ?? this.#protection.abortSignal(this.#contextValue);
  }

  /** Asked once, also where it fails at once: a failure is logged and counted, and no bad token is checked twice. */
  #identify(header: OperationRequest['header']) {
    if (this.#failure) throw this.#failure.error;
    try {
      this.#found ??= this.#protection.identify({ header, contextValue: this.#contextValue });
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
    return this.#found;
  }

  #price(request: OperationRequest, subject: Subject, startedMs: number): Operation {
    const contextValue = this.#contextValue;
    return priceOperation(this.#protection, request, { subject, startedMs, contextValue, costPlan: this.#costPlan });
  }

  #checkTier({ tier: named }: Subject): void {
    const tier = this.#protection.ruleset().tier(named);
    if (named !== undefined && tier.name !== named) this.#protection.onUnknownTier(named, tier);
  }

  async #payerOf(header: OperationRequest['header']): Promise<Subject | undefined> {
    if (this.#subject !== undefined && this.#subject !== UNKNOWN) return this.#subject;
    try {
      if (this.#subject === undefined) return countableSubject(await this.#identify(header));
    } catch {
      // As below.
    }
    const sender = this.#protection.identify.sender?.({ header, contextValue: this.#contextValue });
    return sender && countableSubject(sender);
  }
}
