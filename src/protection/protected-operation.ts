import { type DocumentNode, GraphQLError, getOperationAST } from 'graphql';
import type { CostPlan } from '../cost/cost-plan.js';
import { CostError } from '../cost/values/cost-error.js';
import type { DecisionRecord } from '../model/decision-record.js';
import { countableSubject, type Subject } from '../model/subject.js';
import { isPromise } from '../runtime/is-promise.js';
import { type StopSignal, waitFor, whenAborted } from '../runtime/wait-for.js';
import { asksForReport } from './answer/asks-for-report.js';
import type { AnswerParts } from './answer/cost-extension.js';
import { clientGoneError, noRootTypeError, noSuchOperation } from './answer/denial-error.js';
import { isSlotLimit, mayWaitForSlot } from './answer/is-slot-limit.js';
import { offersRateLimit, setRateLimit } from './answer/rate-limit-numbers.js';
import { answerOperation, partsOf } from './answer-operation.js';
import type { BatchPlace } from './batch-place.js';
import type { FeeOutcome, FeeRequest } from './charge-fee.js';
import { chargeOperation } from './charge-operation.js';
import { checkRegistration } from './check-registration.js';
import { decideOperation, decideUnvalidated, recordOfForeseenDenial, rejectByPrice } from './decide-operation.js';
import { type Execution, LOST, type Operation, type OperationOutcome, type OperationRequest } from './operation.js';
import { priceOperation, rateLimitNumbers } from './price-operation.js';
import type { Protection } from './protection.js';
import { reportUnknownTier } from './report-unknown-tier.js';
import { offerReporter, ReportedCost } from './reported-cost.js';
import type { RunningResolvers } from './slots/running-resolvers.js';
import { hasResolvers } from './slots/watch-resolvers.js';
import { watchSlots } from './slots/watch-slots.js';
import { withShortSlots } from './with-short-slots.js';

const UNKNOWN = Symbol('unknown');

/** A request that was parsed, but neither validated nor priced. */
type UnvalidatedRequest = Omit<OperationRequest, 'operation'>;

/**
 * The protection of one request. `begin` prices and decides the operation before anything runs.
 * `execute` marks it as running. `finish` settles the charge, and returns its cost parts. `reject`
 * charges the fee. It is a class instead of closures, because every request creates one.
 */
export class ProtectedOperation<Context extends object> {
  readonly #protection: Protection<Context>;
  readonly #contextValue: Context;
  readonly #place: BatchPlace | undefined;
  /** Set once the operation is priced. */
  #operation: Operation | undefined;
  /** Identified caller. `UNKNOWN` if identification was attempted and failed. */
  #subject: Subject | typeof UNKNOWN | undefined;
  #found: ReturnType<Protection<Context>['identify']> | undefined;
  /** A denial before validation. */
  #foreseen: { record: DecisionRecord; outcome: FeeOutcome } | undefined;
  /** Cost plan of an operation that was priced before validation. */
  #costPlan: CostPlan | undefined;
  #failure: { error: unknown } | undefined;
  /** Set for an operation that holds a concurrency slot. */
  #running: RunningResolvers | undefined;
  /** Whether resolvers of this process execute the operation. */
  #resolvesHere = false;
  /** Detaches the operation from its client, so that a disconnect no longer ends it. */
  #outliveClient: (() => void) | undefined;
  /** Set while the operation may wait for slots. */
  #waiting: AbortController | undefined;
  /** Cost that resolvers report. Set when the execution begins. */
  reportedCost: ReportedCost | undefined;
  /** Parts of the response, set when the operation has ended. */
  #parts: AnswerParts | undefined;
  /** Signal that is aborted when the client disconnects. @default that of the context */
  signal: StopSignal | undefined;
  /** Set if another server executes the operation: `begin` does not wait, slots end after `withinMs`. */
  elsewhere: { withinMs: number; askedBy: Operation['askedBy'] } | undefined;
  connection: Operation['connection'];
  /** Extensions of the request, as the client sent them. They may contain the name of the client. */
  extensions: unknown;

  constructor(protection: Protection<Context>, contextValue: Context) {
    this.#protection = protection;
    this.#contextValue = contextValue;
    this.#place = protection.batchPlace(contextValue);
  }

  /** Whether the operation has a price. `finish` then returns its parts; otherwise `reject` does. */
  get isPriced(): boolean {
    return this.#operation !== undefined;
  }

  /** Whether it was admitted, but something other than Tollgate prevented its execution. */
  get wasStopped(): boolean {
    const operation = this.#operation;
    return operation?.decision?.admitted === true && !this.hasEnded && !operation.executed && !operation.validateOnly;
  }

  get isAdmitted(): boolean {
    return this.#operation?.decision?.admitted === true;
  }

  /** The operation, once it is priced. */
  get priced(): Operation | undefined {
    return this.#operation;
  }

  /** Whether the operation was settled. An operation that has ended must not be executed. */
  get hasEnded(): boolean {
    return this.#parts !== undefined;
  }

  /** Parts of the response about cost and quota, set when the operation has ended. */
  get parts(): AnswerParts | undefined {
    return this.#parts;
  }

  /** Set if the operation is priced but not run, except for a `rateLimit` field that requests this. */
  get dryRun(): { document: DocumentNode | undefined } | undefined {
    return this.#operation?.validateOnly ? { document: this.#operation.dryRun } : undefined;
  }

  /**
   * Decides before validation, which takes many times as long as pricing. Returns the error of an
   * operation that cannot be admitted, valid or not; otherwise undefined. In a batch or in shadow
   * mode, it checks only that the operation and its root type exist.
   */
  async foresee(request: UnvalidatedRequest): Promise<GraphQLError | undefined> {
    return (await this.#foreseeDenial(request)) ?? this.#foreseePrice(request);
  }

  /**
   * Denies any request of a caller who is known to have too few tokens for the fee and for the
   * cheapest operation.
   */
  async #foreseeDenial({ document, operationName, header }: UnvalidatedRequest): Promise<GraphQLError | undefined> {
    const { limiter, chargeFee, ruleset, minimumCost, mode } = this.#protection;
    if (this.#place || !limiter.knowsDenials) return undefined;
    const startedMs = performance.now();
    try {
      const subject = countableSubject(await this.#identify(header));
      const client = this.#protection.clientOf(header, this.extensions);
      if (!chargeFee.isDenied({ ruleset: ruleset(), subject, ...client }, minimumCost)) return undefined;
      // The remembered denial may be outdated. If tokens are available again, the fee is refunded
      // and the request continues normally.
      const outcome = await this.#chargeFee(header, subject, { refundIfPaid: true });
      if (!outcome.denial) return undefined;
      this.#subject = subject;
      const facts = { subject, startedMs, mode, operation: getOperationAST(document, operationName) };
      this.#foreseen = { record: recordOfForeseenDenial(outcome, facts, this.elsewhere?.askedBy), outcome };
      return outcome.denial;
    } catch {
      // `begin` reports the error.
      return undefined;
    }
  }

  /**
   * Rejects or denies an operation by its price, its variables or the number of its limits. Pricing
   * skips fields that are not in the schema. The fee is the same as after validation. Returns
   * undefined if the operation may be admitted. Also returns undefined if pricing calls custom
   * functions, because they are called for valid operations only.
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
      const registered = await checkRegistration(this.#protection, request, subject);
      if (registered instanceof GraphQLError) return registered;
      const name = operationName ?? operation.name?.value ?? null;
      const costPlan = this.#protection.analyzer.compile(document, name, request.documentHash);
      if (costPlan.asksFunctions) return undefined;
      this.#costPlan = costPlan;
      priced = this.#price({ ...request, operation, operationName: name }, { subject, startedMs, registered });
    } catch (error) {
      // `begin` reports any other error.
      return error instanceof CostError ? error : undefined;
    }
    if (priced.validateOnly) return undefined;
    const error = await decideUnvalidated(this.#protection, priced);
    if (!error) return undefined;
    reportUnknownTier(this.#protection, priced.subject);
    this.#subject = priced.subject;
    this.#operation = priced;
    return error;
  }

  /**
   * Prices and charges the operation. Resolves to the error for its response if it is denied. Every
   * request runs this function, so it avoids unnecessary awaits.
   * @throws GraphQLError if the request is invalid
   */
  async begin(request: OperationRequest): Promise<GraphQLError | undefined> {
    // The validation of graphql-js accepts an operation without a root type, and the execution
    // fails. Such an operation has no price, so it is rejected and the fee is charged.
    const { operation: type } = request.operation;
    if (!request.schema.getRootType(type)) return noRootTypeError(type);
    const startedMs = performance.now();
    this.#subject = UNKNOWN;
    const found = this.#identify(request.header);
    const subject = countableSubject(isPromise(found) ? await found : found);
    this.#subject = subject;
    reportUnknownTier(this.#protection, subject);
    const checked = checkRegistration(this.#protection, request, subject);
    const registered = isPromise(checked) ? await checked : checked;
    if (registered instanceof GraphQLError) return registered;
    const operation = this.#price(request, { subject, startedMs, registered });
    const joint = this.#place && (await this.#place.join(operation));
    if (joint) {
      const { limits, charges, requested, pool, unknownRule } = joint;
      Object.assign(operation, { limits, charges, requested, pool, unknownRule });
    }
    this.#operation = operation;
    if (operation.detail !== 'NONE' && offersRateLimit(request.schema))
      setRateLimit(this.#contextValue, () => rateLimitNumbers(operation));
    const rejected = rejectByPrice(this.#protection, operation);
    if (rejected) return rejected;
    this.#waiting = operation.limits.some(mayWaitForSlot) ? new AbortController() : undefined;
    const charging = { joint, waiting: this.#waiting, client: () => this.#abortSignal };
    const decision = await chargeOperation(this.#protection, operation, charging);
    this.#waiting = undefined;
    // The rules may have changed while the operation waited.
    if (decision === undefined) return rejectByPrice(this.#protection, operation) ?? clientGoneError();
    const denied = decideOperation(this.#protection, operation, decision);
    if (denied || !decision.admitted) return denied;
    const turn = this.#protection.limiter.turn(decision);
    if (turn) await turn;
    // If the client leaves, nothing has run, so `finish` refunds the charge.
    const { delayMs } = decision;
    if (delayMs > 0 && !this.elsewhere && !(await waitFor(delayMs, this.#abortSignal))) return clientGoneError();
    if (operation.bound.limits.some(isSlotLimit)) this.#endWithClient();
    return undefined;
  }

  /** Ends a wait for slots, because the response is sent without the operation. */
  stopWaiting(): void {
    this.#waiting?.abort();
  }

  /**
   * Marks the operation as running. Returns the typed execution of its cost plan, by which Tollgate
   * learns the types of the returned objects; undefined if the plan has none.
   * @throws if the operation has ended: its charge has been settled without this execution
   */
  execute({ schema, contextValue = this.#contextValue, fieldResolver, isExecutedBySchema }: Execution) {
    const operation = this.#operation;
    if (!operation) return undefined;
    if (this.hasEnded) throw clientGoneError();
    operation.executed = true;
    const { typed } = operation.costPlan;
    if (this.elsewhere) return typed;
    this.reportedCost = offerReporter(contextValue, new ReportedCost(schema, this.#protection.onUnknownField));
    this.#running = watchSlots(operation.bound.limits, { schema, contextValue, fieldResolver });
    this.#resolvesHere = isExecutedBySchema && this.#running !== undefined && hasResolvers(schema);
    return typed;
  }

  /** Adds to the actual cost. @throws TypeError before `execute`, or if the tokens are invalid */
  addCost(tokens: number, options?: { field?: string }): void {
    if (!this.reportedCost) throw new TypeError('addCost: expected an operation that has started: call start or run');
    this.reportedCost.addCost(tokens, options);
  }

  /**
   * Declares that the execution never began, although `execute` was called: for example, the
   * upstream was unreachable. `finish` then refunds everything.
   */
  hasNotRun(): void {
    if (this.#operation) this.#operation.executed = false;
  }

  /**
   * Corrects the charge to the actual cost, and returns the parts of the response. Idempotent: a
   * second call returns the same parts.
   */
  finish(outcome: OperationOutcome): AnswerParts {
    this.#parts ??= this.#end(outcome);
    return this.#parts;
  }

  /**
   * Ends the operation without a result. If it was executed, the charge stays at the estimate; if
   * not, everything is refunded. Its slots are released when its last resolver has ended. Does
   * nothing after `finish`.
   */
  abandon(): void {
    this.stopWaiting();
    if (!this.#operation || this.hasEnded) return;
    this.#running?.shut();
    this.finish(LOST);
  }

  /**
   * Ends an operation when its client disconnects. Without this, the operation might never end,
   * because a hook of another plugin may never return. An operation that is executed elsewhere,
   * without a resolver here, is not ended: it occupies its slots until its response is complete or
   * their `leaseMs` ends.
   */
  #endWithClient(): void {
    this.whenClientGone(() => {
      if (!this.#operation?.executed || this.#running?.hasBegun || this.#resolvesHere) this.abandon();
    });
  }

  /** Calls `onGone`, and nothing else, when the client disconnects. Returns whether it already has. */
  whenClientGone(onGone: () => void): boolean {
    this.#outliveClient?.();
    this.#outliveClient = whenAborted(this.#abortSignal, onGone);
    return this.#abortSignal?.aborted ?? false;
  }

  #end(outcome: OperationOutcome): AnswerParts {
    this.#outliveClient?.();
    const isClientGone = this.#abortSignal?.aborted ?? false;
    const during = { running: this.#running, reportedCost: this.reportedCost, place: this.#place };
    return answerOperation(this.#protection, this.#operation!, { outcome, ...during, isClientGone });
  }

  /** Returns the parts that are known before `finish`, for headers that are sent before it. */
  partsOfCharge(): AnswerParts {
    return partsOf(this.#protection, this.#operation!);
  }

  /**
   * Charges the fee of a rejected request, unless Tollgate caused it (`isFree`). Its operation has no
   * price, or was refunded because it never ran. If the credential is invalid, the address of the
   * sender pays the fee. If the caller has too few tokens, the outcome contains a denial, which
   * replaces the errors of the response. Resolves to undefined if nothing is charged.
   */
  async reject(header: OperationRequest['header'], isFree = false): Promise<FeeOutcome | undefined> {
    this.#place?.leave();
    if (this.#foreseen) {
      this.#protection.operations.onDecision(this.#foreseen.record);
      return this.#foreseen.outcome;
    }
    const subject = isFree ? undefined : await this.#payerOf(header);
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
    const client = this.#protection.clientOf(header, this.extensions);
    return chargeFee({ ruleset, subject, ...client, askedBy: this.elsewhere?.askedBy, detail, refundIfPaid });
  }

  /**
   * Returns undefined if the settlement has already been sent to Redis. Otherwise the adapter must
   * wait for the promise before it sends the response.
   */
  settlementSent(): Promise<void> | undefined {
    return this.#operation && this.#protection.limiter.settlementsSent();
  }

  get #abortSignal(): StopSignal | undefined {
    return this.signal ?? this.#protection.abortSignal(this.#contextValue);
  }

  /**
   * Identifies the caller only once, even if the identification throws. A failure is therefore
   * logged and counted once, and no invalid token is verified twice.
   */
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

  #price(request: OperationRequest, received: Pick<Operation, 'subject' | 'startedMs' | 'registered'>): Operation {
    const own = { contextValue: this.#contextValue, extensions: this.extensions, costPlan: this.#costPlan };
    const sentBy = { askedBy: this.elsewhere?.askedBy, connection: this.connection };
    const priced = priceOperation(this.#protection, request, { ...received, ...own, ...sentBy });
    return this.elsewhere ? withShortSlots(priced, this.elsewhere.withinMs) : priced;
  }

  async #payerOf(header: OperationRequest['header']): Promise<Subject | undefined> {
    if (this.#subject !== undefined && this.#subject !== UNKNOWN) return this.#subject;
    try {
      if (this.#subject === undefined) return countableSubject(await this.#identify(header));
    } catch {
      // Identification failed. Below, the fee is charged to the address of the sender.
    }
    const sender = this.#protection.identify.sender?.({ header, contextValue: this.#contextValue });
    return sender && countableSubject(sender);
  }
}
