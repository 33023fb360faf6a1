import { type DocumentNode, type GraphQLError, getOperationAST } from 'graphql';
import type { CostPlan } from '../cost/cost-plan.js';
import { CostError } from '../cost/values/cost-error.js';
import { countableSubject, type Subject } from '../model/subject.js';
import { isPromise } from '../runtime/is-promise.js';
import { type StopSignal, waitFor } from '../runtime/stop.js';
import { asksForReport } from './answer/asks-for-report.js';
import type { AnswerParts } from './answer/cost-extension.js';
import { clientGoneError, noRootTypeError, noSuchOperation } from './answer/denial-error.js';
import { isSlotLimit } from './answer/is-slot-limit.js';
import { outcomesToTell } from './answer/limit-outcome.js';
import { offersRateLimit, setRateLimit } from './answer/rate-limit-field.js';
import type { BatchPlace, Purchase } from './batch.js';
import { actualCosts, unseenCosts } from './bind-charges.js';
import type { FeeOutcome, FeeRequest } from './fee.js';
import {
  type ForeseenDenial,
  recordOfForeseen,
  type UnpricedRequest,
  type UnvalidatedRequest,
} from './foreseen-denial.js';
import type { Execution, OperationOutcome, OperationRequest } from './operation-request.js';
import { type PricedOperation, priceOperation, rateLimitNumbers } from './price-operation.js';
import type { Protection } from './protection.js';
import { recordDecision } from './record-decision.js';
import { refuseByPrice, refuseDenied, refuseUnvalidated } from './refuse-operation.js';
import { readResponse } from './response-errors.js';
import { settleOperation } from './settle-operation.js';
import type { RunningResolvers } from './slots/running-resolvers.js';
import { hasResolvers } from './slots/watch-resolvers.js';
import { watchSlots } from './slots/watch-slots.js';
import { AnsweredOperation, type Spent } from './usage-of-operation.js';

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

/**
 * One operation on its way: priced, bound to the limits that apply, charged to all of them or to none, and settled by what it
 * produced. It knows no server: an adapter calls `begin` before anything runs, `execute` as it runs, and `finish` before
 * the answer goes out, or `refuse` for what never got a price. A class, as every request makes one.
 */
export class ProtectedOperation<Context extends object> {
  readonly #protection: Protection<Context>;
  readonly #contextValue: Context;
  readonly #place: BatchPlace | undefined;
  #priced: PricedOperation | undefined;
  /** Who is asking, once that is known; `UNKNOWN` where they were asked for and could not be named. */
  #subject: Subject | typeof UNKNOWN | undefined;
  #found: ReturnType<Protection<Context>['identify']> | undefined;
  #foreseen: ForeseenDenial | undefined;
  /** Of what was priced before it was validated. */
  #formula: CostPlan | undefined;
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

  /** It has a price, whatever became of it: `finish` says its answer, else `refuse` does. */
  get isPriced(): boolean {
    return this.#priced !== undefined;
  }

  /** Whether it was let in, and something else than Tollgate kept it from running. */
  get wasStopped(): boolean {
    const priced = this.#priced;
    return priced?.decision?.admitted === true && !this.hasEnded && !priced.executed && !priced.validateOnly;
  }

  get isAdmitted(): boolean {
    return this.#priced?.decision?.admitted === true;
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
    return this.#priced?.validateOnly ? { document: this.#priced.dryRun } : undefined;
  }

  /**
   * Why a document that has not been validated yet is not worth it: whatever it asks for, its sender is known to be denied.
   * Undefined where that is not known, and for what belongs to a batch.
   */
  async foreseeDenial({ document, operationName, header }: UnpricedRequest): Promise<GraphQLError | undefined> {
    const { limiter, chargeFee, ruleset, minimumCost } = this.#protection;
    if (this.#place || !limiter.knowsDenials) return undefined;
    const startedMs = performance.now();
    try {
      const subject = countableSubject(await this.#identify(header));
      const client = header('apollographql-client-name');
      if (!chargeFee.isDenied({ ruleset: ruleset(), subject, client }, minimumCost)) return undefined;
      // Known is what was so a moment ago: there may be room again, and then it goes on as any other.
      const outcome = await this.#chargeFee(header, subject, { refundIfPaid: true });
      if (!outcome.denial) return undefined;
      this.#subject = subject;
      this.#foreseen = { startedMs, subject, operation: getOperationAST(document, operationName), outcome };
      return outcome.denial;
    } catch {
      // Told where the operation begins.
      return undefined;
    }
  }

  /**
   * Returns why a document that has not been validated does not pass, valid or not: because of its price, its variables or the number
   * of its limits, or because its caller is known to have too few tokens for it. Validation takes many times as long as pricing, and
   * pricing skips what the schema does not have. The document pays as it would after validation. Undefined where it may pass, in a
   * batch, and where functions have a say in its price, as Tollgate calls these for valid operations only.
   */
  async foreseeRefusal({ operationName, ...request }: UnvalidatedRequest): Promise<GraphQLError | undefined> {
    const { document, schema, header } = request;
    const operation = getOperationAST(document, operationName);
    if (!operation) return operationName ? noSuchOperation(operationName) : undefined;
    if (!schema.getRootType(operation.operation)) return noRootTypeError(operation.operation);
    if (this.#place || this.#protection.mode === 'SHADOW') return undefined;
    const startedMs = performance.now();
    let priced: PricedOperation;
    try {
      const subject = countableSubject(await this.#identify(header));
      const name = operationName ?? operation.name?.value ?? null;
      const formula = this.#protection.analyzer.compile(document, name, request.documentHash);
      if (formula.asksFunctions) return undefined;
      this.#formula = formula;
      const asked = { ...request, operation, operationName: name };
      priced = this.#price(asked, subject, startedMs);
    } catch (error) {
      // Anything else is told where the operation begins.
      return error instanceof CostError ? error : undefined;
    }
    if (priced.validateOnly) return undefined;
    const refused = await refuseUnvalidated(this.#protection, priced);
    if (!refused) return undefined;
    this.#checkTier(priced.subject);
    this.#subject = priced.subject;
    this.#priced = priced;
    return refused;
  }

  /**
   * Prices and charges it. Resolves to the error of its answer where it is denied, and rejects with what the client did
   * wrong, as a GraphQLError. One function for the whole way, and no promise but where there is something to wait for:
   * every request passes here.
   */
  async begin(request: OperationRequest): Promise<GraphQLError | undefined> {
    // graphql-js validates such an operation, and fails when it runs: it has no price, and is refused for the fee.
    const { operation } = request.operation;
    if (!request.schema.getRootType(operation)) return noRootTypeError(operation);
    const startedMs = performance.now();
    const { limiter } = this.#protection;
    this.#subject = UNKNOWN;
    const found = this.#identify(request.header);
    const subject = countableSubject(isPromise(found) ? await found : found);
    this.#subject = subject;
    this.#checkTier(subject);
    const priced = this.#price(request, subject, startedMs);
    const own: Purchase = {
      limits: priced.bound.limits,
      charges: priced.bound.charges,
      requested: priced.requested,
      pool: priced.bound.pool,
    };
    const joint = this.#place && (await this.#place.join(own));
    const purchase = joint ?? own;
    const { limits, charges, pool } = purchase;
    this.#priced = priced;
    priced.limits = limits;
    if (offersRateLimit(request.schema) && priced.detail !== 'NONE')
      setRateLimit(this.#contextValue, () => rateLimitNumbers(priced));
    const refused = refuseByPrice(this.#protection, priced, purchase);
    if (refused) return refused;
    const decision = await (joint?.charge(limiter, subject) ??
      limiter.charge({ subject, limits: charges, pool: pool?.name }));
    priced.decision = decision;
    priced.states = decision.limits;
    if (!decision.admitted) return refuseDenied(this.#protection, priced, decision, { charges, pool });
    this.#protection.admittedPlans.add(priced.formula);
    recordDecision(this.#protection, priced, undefined, undefined);
    const turn = limiter.turn(decision);
    if (turn) await turn;
    if (decision.delayMs > 0 && !(await waitFor(decision.delayMs, this.#abortSignal))) {
      // Nothing has run: what was charged is refunded when the unread answer is sent.
      return clientGoneError();
    }
    if (priced.bound.limits.some(isSlotLimit)) this.#endWithClient();
    return undefined;
  }

  /**
   * Marks the operation as running. Returns what to do while it runs, or undefined where that is nothing.
   * @param by the execution, where it is known
   * @throws where the operation has ended: its charge has been settled without it
   */
  execute({ schema, contextValue = this.#contextValue, fieldResolver, isExecutedBySchema }: Execution) {
    if (!this.#priced) return undefined;
    if (this.hasEnded) throw clientGoneError();
    this.#priced.executed = true;
    const { typed } = this.#priced.formula;
    this.#running = watchSlots(this.#priced.bound.limits, { schema, contextValue, fieldResolver });
    this.#resolvesHere = isExecutedBySchema && this.#running !== undefined && hasResolvers(schema);
    return typed;
  }

  /** It was to be executed elsewhere, and has certainly never begun: `finish` refunds all. */
  hasNotRun(): void {
    if (this.#priced) this.#priced.executed = false;
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
    if (!this.#priced || this.hasEnded) return;
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
      const isElsewhere = this.#priced?.executed && !this.#running?.hasBegun && !this.#resolvesHere;
      if (!isElsewhere) this.abandon();
    };
    signal.addEventListener('abort', onGone);
    this.#outliveClient = () => signal.removeEventListener('abort', onGone);
  }

  #end(outcome: OperationOutcome): AnswerParts {
    this.#outliveClient?.();
    const priced = this.#priced!;
    const { limiter, operations, now, onError } = this.#protection;
    const { decision, bound } = priced;
    let spent: Spent | undefined;
    if (decision?.admitted) {
      spent = this.#spent(priced, outcome);
      const states = settleOperation({
        limiter,
        limits: bound.limits,
        decision,
        actual: spent?.byLimit,
        running: this.#running,
        batch: this.#place && { place: this.#place, own: { ...bound, requested: priced.requested } },
        // Execution waits for every resolver, unless an error answers early or the answer comes in parts.
        isOver: !outcome.isLost && !outcome.isIncremental && !outcome.errors?.length,
        whenAnswered: outcome.whenAnswered,
        onError,
      });
      if (states) priced.states = states;
      if (priced.record) operations.onSettled(priced.record, spent?.cost ?? priced.record.chargedCost);
    }
    if (priced.record) operations.onAnswer?.(new AnsweredOperation(priced, spent, this.#place?.batchId, now()));
    return this.#partsOf(priced, spent);
  }

  /** What can be said before `finish`, for an answer that begins before all of it has come. */
  partsOfCharge(): AnswerParts {
    return this.#partsOf(this.#priced!, undefined);
  }

  #partsOf(priced: PricedOperation, spent: Spent | undefined): AnswerParts {
    const { decision, tier, requestedCost, detail } = priced;
    const { mode, limiter } = this.#protection;
    const degraded = priced.fee?.degraded ?? decision?.degraded ?? false;
    const deniedBy = decision?.admitted === false ? decision.deniedBy : undefined;
    return {
      detail,
      requestedCost,
      actualCost: spent?.cost ?? null,
      chargedCost: priced.record?.chargedCost,
      tier,
      mode,
      degraded,
      clockAheadMs: priced.fee?.clockAheadMs ?? limiter.clockAheadMs(priced.bound.pool?.name, degraded),
      approximate: decision?.admitted && decision.approximate,
      outcomes: outcomesToTell(detail, priced.limits, priced.states, deniedBy),
      deniedBy: priced.fee?.deniedBy ?? deniedBy,
      fee: priced.fee?.fee,
      fields: priced.reportFields ? priced.plan.estimate().fields : undefined,
    };
  }

  /**
   * What never got a price pays the fee. Resolves to what the answer says, and to the error that it is instead where nothing
   * is left to pay with; to nothing where there is no caller to charge. A bad credential is paid by the address that sent it.
   */
  async refuse(
    header: OperationRequest['header'],
  ): Promise<{ parts: AnswerParts; denial: GraphQLError | undefined } | undefined> {
    this.#place?.leave();
    const { mode, operations } = this.#protection;
    if (this.#foreseen) {
      operations.onDecision(recordOfForeseen(this.#foreseen, mode));
      return this.#foreseen.outcome;
    }
    return this.payFee(header);
  }

  /**
   * Charges the fee of an operation that another plugin rejected or broke before it ran; `finish` has refunded its price.
   * Resolves as `refuse` does.
   */
  async payFee(
    header: OperationRequest['header'],
  ): Promise<{ parts: AnswerParts; denial: GraphQLError | undefined } | undefined> {
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
    return this.#priced && this.#protection.limiter.settlementsSent();
  }

  get #abortSignal(): StopSignal | undefined {
    return this.signal ?? this.#protection.abortSignal(this.#contextValue);
  }

  /** What an admitted operation did cost; undefined where the estimate stands. */
  #spent(priced: PricedOperation, outcome: OperationOutcome): Spent | undefined {
    const { data, errors, document, isIncremental, isLost, unseenCost = 0 } = outcome;
    const { bound, plan } = priced;
    // Also where the client is gone: a caller who leaves before the last byte has had all others.
    if (priced.executed && !priced.validateOnly && unseenCost > priced.requestedCost) {
      const byLimit = unseenCosts(bound, unseenCost);
      return { cost: unseenCost, byLimit, fields: undefined, response: undefined };
    }
    if (priced.executed && (isLost || this.#abortSignal?.aborted)) return undefined;
    // A response in parts cannot be walked: it stays at the estimate.
    if (isIncremental || priced.validateOnly) return undefined;
    if (!priced.executed) {
      const nothing: Record<string, number> = {};
      for (const { id } of bound.charges) nothing[id] = 0;
      return { cost: 0, byLimit: nothing, fields: undefined, response: undefined };
    }
    const executed = readResponse(data, errors, document);
    // Usage is told of each field: the pass over the response that works out the cost does it with little more.
    const fieldSums = this.#protection.operations.onAnswer !== undefined;
    const actual = plan.actual(executed.data, bound.measures, { fieldSums, errors: executed.errors });
    return { cost: actual.cost, byLimit: actualCosts(bound, actual), fields: actual.fieldSums, response: executed };
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

  #price(request: OperationRequest, subject: Subject, startedMs: number): PricedOperation {
    const contextValue = this.#contextValue;
    return priceOperation(this.#protection, request, { subject, startedMs, contextValue, formula: this.#formula });
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
