import type { ExecutionResult } from 'graphql';
import type { AdmittedRequest } from '../any-server/admitted-request.js';
import { answerRejected } from '../any-server/answer-rejected.js';
import { hasHashAlone } from '../any-server/has-hash-alone.js';
import type { Protect } from '../any-server/protect.js';
import { settledWhenOver } from '../any-server/settled-when-over.js';
import type { Answer } from '../protection/answer/answer-of.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import type { BeforeExecution, ExecutionArgs, YogaParams, YogaPlugin } from './yoga-plugin.js';
import { extensionsOf, hasOnlyErrors, httpOfAnswer, isAnswered, resultOf, type YogaResult } from './yoga-result.js';

/** State of an admitted operation, which can be executed once. */
export interface Admission {
  request: AdmittedRequest;
  /** Parameters that were priced. */
  params: YogaParams;
  hasBegun: boolean;
  hasResult: boolean;
}

/** State of the operations of one HTTP request. */
interface Progress {
  /**
   * Number of operations that Tollgate has rejected, denied or settled. No fee is due for them any
   * more.
   */
  answered: number;
  /**
   * Last rejection or denial. It is the result of the whole request if the request is not a batch.
   */
  errorResult?: ExecutionResult;
  readonly admissions: Admission[];
}

type Payload<Hook extends keyof YogaPlugin> = YogaPlugin[Hook] extends (payload: infer Given) => unknown
  ? Given
  : never;

/**
 * Protects operations over HTTP. Each operation is charged before Yoga parses its document, and
 * settled by its result.
 */
export class HttpOperations<Context extends object> {
  readonly #protect: Protect<Context>;
  readonly #admitted = createObjectNotes<object, Admission>();
  /** Rejections and denials, by the context of their operation. */
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
    const { documentId, doc_id, ...given } = { ...params, ...idsIn(request) };
    const { query, operationName, variables, extensions } = given;
    const id = (documentId ?? doc_id ?? undefined) as string | undefined;
    const { headers, signal } = request;
    const contextValue = Object.assign(context, { request }) as unknown as Context;
    const isById = id !== undefined || hasHashAlone(params);
    const asked = await this.#protect({
      query,
      documentId: id,
      extensions,
      operationName,
      variables,
      headers,
      contextValue,
      signal,
    });
    const progress = this.#progressOf.get(request) ?? { answered: 0, admissions: [] };
    this.#progressOf.set(request, progress);
    if (asked.admitted) {
      const used = isById ? withText(given, asked.document.loc!.source.body) : params;
      if (used !== params) setParams(used);
      const admission: Admission = { request: asked, params: used, hasBegun: false, hasResult: false };
      this.#admitted.set(context, admission);
      progress.admissions.push(admission);
      return;
    }
    // Remove the id and set an empty text. Otherwise Yoga or a persisted-query plugin would reject
    // the request with another error, after which clients do not send the text.
    if (isById) setParams(withText(given, ''));
    setResult(this.#toErrorResult(context, request, asked.answer));
  }

  /**
   * Returns the admission of a context, but only once, because a later execution with the same
   * context is another operation.
   */
  take({ contextValue }: ExecutionArgs): Admission | undefined {
    const admission = contextValue && this.#admitted.get(contextValue);
    if (!admission || admission.hasBegun) return undefined;
    admission.hasBegun = true;
    return admission;
  }

  /**
   * Prices and charges an admitted operation again, because a plugin after Tollgate has changed it,
   * and starts it.
   */
  async priceAgain(admission: Admission, { args, setResultAndStopExecution }: BeforeExecution): Promise<undefined> {
    const contextValue = args.contextValue as Context & { params: YogaParams; request: Request };
    const { params, request } = contextValue;
    const { query, operationName, variables, extensions } = params;
    const { headers, signal } = request;
    admission.request.abandon();
    const asked = await this.#protect({ query, operationName, variables, extensions, headers, contextValue, signal });
    if (asked.admitted) {
      admission.request = asked;
      args.document = asked.start(contextValue, args.fieldResolver, args.schema);
    } else setResultAndStopExecution(this.#toErrorResult(contextValue, request, asked.answer));
  }

  /** Settles an operation by its result, after Yoga has masked the errors. */
  async settle({ result, setResult, context, request: httpRequest }: Payload<'onExecutionResult'>): Promise<void> {
    const admission = this.#admitted.get(context);
    if (admission === undefined || result === undefined || this.#errorResults.get(context)) return;
    const { request, hasBegun } = admission;
    if (!admission.hasResult) this.#progressOf.get(httpRequest)!.answered++;
    admission.hasResult = true;
    if (Symbol.asyncIterator in result) {
      const { parts, answer } = settledWhenOver(request, result);
      // Yoga reads status and headers from the `extensions` of the iterable itself.
      setResult(Object.assign(parts, { extensions: { http: httpOfAnswer(await answer) } }));
      return;
    }
    const settled = { ...result, extensions: extensionsOf(await request.finish(result)) };
    // Yoga or another plugin has rejected the operation, for example a mutation by GET. The
    // operation is refunded, and the fee is charged.
    const isRejected = !hasBegun && hasOnlyErrors(result);
    setResult(isRejected ? await this.#payFee(settled, context, httpRequest.headers) : settled);
  }

  /**
   * Charges the fee of operations that were rejected before `admit` or failed in another plugin. No
   * fee has been charged for these yet.
   */
  async settleTheRest(request: Request, results: readonly YogaResult[], serverContext: object): Promise<YogaResult[]> {
    const { answered = 0, admissions = [] } = this.#progressOf.get(request) ?? {};
    let unpaid = results.length - answered;
    for (const { request: admittedOne, hasBegun, hasResult } of admissions) {
      if (hasResult) continue;
      admittedOne.abandon();
      // The operation has run, but another plugin threw an error when it received the result. The
      // estimate remains charged, so there is no fee.
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

  /** Stores the rejection or denial of an operation, so that it remains the result. */
  #toErrorResult(context: object, request: Request, answer: Answer): ExecutionResult {
    const errorResult = resultOf(answer);
    this.#errorResults.set(context, errorResult);
    const progress = this.#progressOf.get(request)!;
    progress.answered++;
    progress.errorResult = errorResult;
    return errorResult;
  }

  /**
   * Charges the fee of a request that another component has rejected. Resolves to `errorResult`
   * with the quota after the fee, or to the denial if the caller cannot pay the fee.
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

/** Returns the id in the address of a GET request, which Yoga does not read. */
function idsIn({ method, url }: Request): Pick<YogaParams, 'documentId' | 'doc_id'> | undefined {
  if (method !== 'GET' || !/[?&](documentId|doc_id)=/.test(url)) return undefined;
  const { searchParams } = new URL(url);
  return { documentId: searchParams.get('documentId'), doc_id: searchParams.get('doc_id') };
}

/** Returns parameters with a text instead of an id. */
function withText(params: YogaParams, query: string): YogaParams {
  const { persistedQuery: _hash, ...extensions } = { ...(params.extensions as { persistedQuery?: unknown }) };
  return { ...params, query, extensions };
}
