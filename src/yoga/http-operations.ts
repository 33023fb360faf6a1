import type { ExecutionResult } from 'graphql';
import type { AdmittedRequest } from '../any-server/admitted-request.js';
import { answerRejected } from '../any-server/answer-rejected.js';
import { hasHashAlone } from '../any-server/has-hash-alone.js';
import type { Protect } from '../any-server/protect.js';
import { settledWhenOver } from '../any-server/settled-when-over.js';
import { requestError } from '../model/errors.js';
import type { Answer } from '../protection/answer/answer-of.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import type { BeforeExecution, ExecutionArgs, YogaParams, YogaPlugin } from './yoga-plugin.js';
import { extensionsOf, hasOnlyErrors, httpOfAnswer, isAnswered, resultOf, type YogaResult } from './yoga-result.js';

/** An admitted operation, which can begin once. */
export interface Admission {
  request: AdmittedRequest;
  /** Parameters that were priced. */
  params: YogaParams;
  hasBegun: boolean;
  hasResult: boolean;
}

/** The operations of one HTTP request. */
interface Progress {
  /** Number of operations that Tollgate has answered, all of which are charged. */
  answered: number;
  /** Rejection or denial of a request that is not a batch. */
  errorResult?: ExecutionResult;
  readonly admissions: Admission[];
}

type Payload<Hook extends keyof YogaPlugin> = YogaPlugin[Hook] extends (payload: infer Given) => unknown
  ? Given
  : never;

/** Protects operations over HTTP: each before Yoga parses it. Settles each with its result. */
export class HttpOperations<Context extends object> {
  readonly #protect: Protect<Context>;
  readonly #admitted = createObjectNotes<object, Admission>();
  /** Rejections and denials by the context of their operation. */
  readonly #errorResults = createObjectNotes<object, ExecutionResult>();
  readonly #progressOf = createObjectNotes<Request, Progress>();

  constructor(protect: Protect<Context>) {
    this.#protect = protect;
  }

  admissionOf(contextValue: object): Admission | undefined {
    return this.#admitted.get(contextValue);
  }

  errorResultOf(contextValue: object): ExecutionResult | undefined {
    return this.#errorResults.get(contextValue);
  }

  progressOf(request: Request): Progress | undefined {
    return this.#progressOf.get(request);
  }

  async admit({ params, request, context, setParams, setResult }: Payload<'onParams'>): Promise<void> {
    const { query, operationName, variables } = params;
    const { headers, signal } = request;
    const contextValue = Object.assign(context, { request }) as unknown as Context;
    const isHash = hasHashAlone(params);
    const asked = await this.#protect({
      ...(isHash
        ? { rejection: [requestError('PERSISTED_QUERY_NOT_SUPPORTED')] }
        : { query, operationName, variables }),
      headers,
      contextValue,
      signal,
    });
    const progress = this.#progressOf.get(request) ?? { answered: 0, admissions: [] };
    this.#progressOf.set(request, progress);
    if (asked.admitted) {
      const admission: Admission = { request: asked, params, hasBegun: false, hasResult: false };
      this.#admitted.set(context, admission);
      progress.admissions.push(admission);
      return;
    }
    if (isHash) {
      // Without a text, Yoga or a persisted-query plugin would reject the request again. On that
      // second error, no client would send the text.
      const { persistedQuery: _hash, ...extensions } = params.extensions as { persistedQuery?: unknown };
      setParams({ ...params, query: '', extensions });
    }
    setResult(this.#toErrorResult(context, request, asked.answer));
  }

  /** Returns an admission once: a later execution with the same context is another operation. */
  take({ contextValue }: ExecutionArgs): Admission | undefined {
    const admission = contextValue && this.#admitted.get(contextValue);
    if (!admission || admission.hasBegun) return undefined;
    admission.hasBegun = true;
    return admission;
  }

  /** Prices and starts an admitted operation that a plugin after Tollgate has changed. */
  async priceAgain(admission: Admission, { args, setResultAndStopExecution }: BeforeExecution): Promise<undefined> {
    const contextValue = args.contextValue as Context & { params: YogaParams; request: Request };
    const { params, request } = contextValue;
    const { query, operationName, variables } = params;
    const { headers, signal } = request;
    admission.request.abandon();
    const asked = await this.#protect({ query, operationName, variables, headers, contextValue, signal });
    if (asked.admitted) {
      admission.request = asked;
      args.document = asked.start(contextValue, args.fieldResolver, args.schema);
    } else setResultAndStopExecution(this.#toErrorResult(contextValue, request, asked.answer));
  }

  /** Settles an operation by its result, with the errors as Yoga has masked them. */
  async settle({ result, setResult, context, request: httpRequest }: Payload<'onExecutionResult'>): Promise<void> {
    const admission = this.#admitted.get(context);
    if (admission === undefined || result === undefined || this.#errorResults.get(context)) return;
    const { request, hasBegun } = admission;
    if (!admission.hasResult) this.#progressOf.get(httpRequest)!.answered++;
    admission.hasResult = true;
    if (Symbol.asyncIterator in result) {
      const { parts, answer } = settledWhenOver(request, result);
      // Yoga takes status and headers from the `extensions` of all parts.
      setResult(Object.assign(parts, { extensions: { http: httpOfAnswer(await answer) } }));
      return;
    }
    const settled = { ...result, extensions: extensionsOf(await request.finish(result)) };
    // Yoga or another plugin has rejected the operation, such as a mutation by GET. It is refunded,
    // and the fee is charged.
    const isRejected = !hasBegun && hasOnlyErrors(result);
    setResult(isRejected ? await this.#payFee(settled, context, httpRequest.headers) : settled);
  }

  /**
   * Charges the fee of requests that were rejected before `admit` or failed in another plugin.
   * Tollgate has not answered them yet.
   */
  async settleTheRest(request: Request, results: readonly YogaResult[], serverContext: object): Promise<YogaResult[]> {
    const { answered = 0, admissions = [] } = this.#progressOf.get(request) ?? {};
    let unpaid = results.length - answered;
    for (const { request: admittedOne, hasBegun, hasResult } of admissions) {
      if (hasResult) continue;
      admittedOne.abandon();
      // Another plugin threw when it received the result: the operation has run, and its estimate
      // is charged.
      if (hasBegun) unpaid--;
    }
    const context = Object.assign(serverContext, { request });
    return Promise.all(
      results.map((result) => {
        if (!hasOnlyErrors(result) || isAnswered(result) || unpaid-- <= 0) return result;
        return this.#payFee(result, context, request.headers);
      }),
    );
  }

  /** Stores the rejection or denial of a request, so that it remains the answer. */
  #toErrorResult(context: object, request: Request, answer: Answer): ExecutionResult {
    const errorResult = resultOf(answer);
    this.#errorResults.set(context, errorResult);
    const progress = this.#progressOf.get(request)!;
    progress.answered++;
    progress.errorResult = errorResult;
    return errorResult;
  }

  /**
   * Charges the fee of a request that another component has rejected. Resolves to that answer with
   * the fee, or to the denial if the caller cannot pay.
   */
  async #payFee(errorResult: ExecutionResult, context: object, headers: Headers): Promise<ExecutionResult> {
    const rejection = errorResult.errors ?? [];
    const answer = await answerRejected(this.#protect, { rejection, headers, contextValue: context as Context });
    if (answer.feePaid === undefined) return errorResult;
    if (!answer.feePaid) return resultOf(answer);
    const { http } = { ...errorResult.extensions } as { http?: Partial<Answer> };
    const extensions = { ...errorResult.extensions, ...answer.body.extensions };
    return {
      ...errorResult,
      extensions: { ...extensions, http: { ...http, headers: { ...http?.headers, ...answer.headers } } },
    };
  }
}
