import { type ExecutionArgs, type ExecutionResult, execute, subscribe } from 'graphql';
import type { AdmittedRequest } from './admitted-request.js';
import { answerRejected } from './answer-rejected.js';
import type { ReadingProtect } from './protect.js';
import { type ReadWhenAskedOptions, readingOf, readWhenAsked } from './read-when-asked.js';
import { headersOf } from './request-headers.js';
import { resultOfAnswer } from './result-of-answer.js';
import { settledWhenOver } from './settled-when-over.js';

/** What executes operations that come over no HTTP request, in place of the functions of graphql-js. */
export interface ProtectedExecution {
  execute(args: ExecutionArgs): Promise<ExecutionResult>;
  subscribe(args: ExecutionArgs): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>;
}

interface ProtectExecutionOptions<Context extends object>
  extends ReadingProtect<Context>,
    Omit<ReadWhenAskedOptions, 'knownDocument' | 'chargeFee'> {}

/**
 * The options of a server of graphql-ws or graphql-sse, with functions that price and charge what is executed, before it is, and with documents
 * that are read when they are charged. A denial is a result with errors. A subscription is charged its estimate when it begins, and its events nothing.
 */
export function protectExecution<Context extends object, Options extends object>(
  protection: ProtectExecutionOptions<Context>,
  options: Options | undefined,
): Options & ProtectedExecution {
  const execution = createProtectedExecution(protection);
  if (options === undefined) return execution as Options & ProtectedExecution;
  const given = ['execute', 'subscribe'].filter((name) => options[name as keyof Options] !== undefined);
  if (given.length > 0)
    throw new TypeError(`tollgate.execution: ${given.join(' and ')}: expected none, as they would not be called`);
  const chargeFee = (given: unknown) => {
    const contextValue = (given ?? {}) as Context;
    return protection.protect({ rejection: [], headers: headersOf(contextValue), contextValue });
  };
  return { ...options, ...execution, ...readWhenAsked(options, { ...protection, chargeFee }) };
}

function createProtectedExecution<Context extends object>({
  protect,
  protectParsed,
  schema,
  documents,
}: ProtectExecutionOptions<Context>): ProtectedExecution {
  async function admit(args: ExecutionArgs): Promise<AdmittedRequest | ExecutionResult> {
    const { document, operationName, variableValues: variables } = args;
    const contextValue = (args.contextValue ?? {}) as Context;
    const caller = { headers: headersOf(contextValue), contextValue };
    const reading = readingOf(document);
    if (reading && 'refusal' in reading) {
      return resultOfAnswer(await answerRejected(protect, { rejection: reading.refusal, ...caller }));
    }
    const unread = reading && 'text' in reading ? reading : undefined;
    const text = unread?.text ?? document.loc?.source.body;
    // By the document, as a server may have changed it since. It was never measured, and is valid for the schema that it was read with:
    // by its text it is refused for what is too large, and for what the prices do not know.
    const isByText =
      unread !== undefined || (text !== undefined && (args.schema !== schema || documents.ofText(text) !== undefined));
    const asked = await protectParsed(
      { ...(isByText ? { query: text } : { document }), operationName, variables, ...caller },
      unread?.isParsed ? document : undefined,
    );
    return asked.admitted ? asked : resultOfAnswer(asked.answer);
  }

  return {
    async execute(args) {
      const request = await admit(args);
      if (!('admitted' in request)) return request;
      let result: ExecutionResult;
      try {
        result = await execute({
          ...args,
          document: request.start(args.contextValue as object | undefined, args.fieldResolver),
        });
      } catch (error) {
        request.abandon();
        throw error;
      }
      const { extensions } = (await request.finish(result)).body;
      return extensions ? { ...result, extensions } : result;
    },

    async subscribe(args) {
      const request = await admit(args);
      if (!('admitted' in request)) return request;
      request.start(args.contextValue as object | undefined, args.fieldResolver);
      let result: Awaited<ReturnType<typeof subscribe>>;
      try {
        // Without the types that were asked for beside: nobody takes them out of its events.
        result = await subscribe({ ...args, document: request.document });
      } catch (error) {
        request.abandon();
        throw error;
      }
      if (Symbol.asyncIterator in result) return settledWhenOver(request, result).parts;
      const { extensions } = (await request.finish(result)).body;
      return extensions ? { ...result, extensions } : result;
    },
  };
}
