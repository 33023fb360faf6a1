import type { AdmittedRequest } from '../any-server/admitted-request.js';
import { answerRejected } from '../any-server/answer-rejected.js';
import type { Protect } from '../any-server/protect.js';
import { headersOf } from '../any-server/request-headers.js';
import { resultOfAnswer } from '../any-server/result-of-answer.js';
import { settledWhenOver } from '../any-server/settled-when-over.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import type { BeforeExecution, Done } from './yoga-plugin.js';

/**
 * Protects operations without their own HTTP request, such as those over WebSockets. They are
 * charged when their execution begins.
 */
export class UnseenOperations<Context extends object> {
  readonly #protect: Protect<Context>;
  /** Admitted requests by the context of their execution. */
  readonly #admitted = createObjectNotes<object, AdmittedRequest>();
  /**
   * Texts by document. The text is needed to measure a document and to find its cached cost plan.
   */
  readonly #texts = createObjectNotes<object, string>();

  constructor(protect: Protect<Context>) {
    this.#protect = protect;
  }

  /** Returns a function that Yoga calls with the result of parsing. */
  onParse(source: string, contextValue: object): (parsed: { result: unknown }) => void {
    let isParsed = false;
    // The fee is charged in a microtask, not in the returned function. Yoga does not call that
    // function if the error is from its parser cache.
    queueMicrotask(() => isParsed || this.chargeFee(contextValue));
    return ({ result }) => {
      isParsed = typeof result === 'object' && result !== null && !(result instanceof Error);
      if (isParsed) this.#texts.set(result as object, source);
    };
  }

  /**
   * Charges the fee of a request that is rejected before its execution. Does not return a promise,
   * because Yoga awaits no hook at that point.
   */
  chargeFee(contextValue: object): void {
    const request = { headers: headersOf(contextValue), contextValue: contextValue as Context };
    void answerRejected(this.#protect, { rejection: [], ...request });
  }

  async execute(payload: BeforeExecution) {
    const { args } = payload;
    const request = await this.#admit(payload);
    if (!request) return undefined;
    args.document = request.start(args.contextValue, args.fieldResolver);
    return {
      async onExecuteDone({ result, setResult }: Done) {
        if (Symbol.asyncIterator in result) {
          setResult(settledWhenOver(request, result).parts);
          return;
        }
        const { extensions } = (await request.finish(result)).body;
        setResult({ ...result, ...(extensions && { extensions }) });
      },
    };
  }

  async subscribe(payload: BeforeExecution) {
    const { args } = payload;
    const request = await this.#admit(payload);
    if (!request) return undefined;
    args.document = request.start(args.contextValue, args.fieldResolver);
    return {
      onSubscribeResult({ result, setResult }: Done) {
        if (Symbol.asyncIterator in result) setResult(settledWhenOver(request, result).parts);
        else void request.finish(result);
      },
    };
  }

  admitted(contextValue: object): AdmittedRequest | undefined {
    return this.#admitted.get(contextValue);
  }

  async #admit({ args, setResultAndStopExecution }: BeforeExecution): Promise<AdmittedRequest | undefined> {
    const { document, operationName, variableValues: variables, contextValue = {} } = args;
    const query = this.#texts.get(document);
    const asked = await this.#protect({
      ...(query === undefined ? { document } : { query }),
      operationName,
      variables,
      headers: headersOf(contextValue),
      contextValue: contextValue as Context,
    });
    if (asked.admitted) {
      this.#admitted.set(contextValue, asked);
      return asked;
    }
    setResultAndStopExecution(resultOfAnswer(asked.answer));
    return undefined;
  }
}
