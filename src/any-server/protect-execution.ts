import { type ExecutionArgs, type ExecutionResult, execute, subscribe } from 'graphql';
import type { Operation } from '../protection/operation.js';
import type { AdmittedRequest } from './admitted-request.js';
import { answerRejected } from './answer-rejected.js';
import type { ReadingProtect } from './protect.js';
import { type ReadWhenAskedOptions, readingOf, readWhenAsked } from './read-when-asked.js';
import { headersOf } from './request-headers.js';
import { resultOfAnswer } from './result-of-answer.js';
import { settledWhenOver } from './settled-when-over.js';

/**
 * Replacements for `execute` and `subscribe` of graphql-js that price and charge each operation.
 * They are for transports without one HTTP request per operation, such as WebSockets.
 */
export interface ProtectedExecution {
  execute(args: ExecutionArgs): Promise<ExecutionResult>;
  subscribe(args: ExecutionArgs): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>;
}

/** The transport of a server whose operations share connections. */
export interface Transport<Context extends object> {
  connectionOf(contextValue: Context): Operation['connection'];
  /** Returns the events of a subscription, bounded by what its client reads. */
  bounded(contextValue: Context, events: AsyncIterable<ExecutionResult>): AsyncIterable<ExecutionResult>;
}

interface ProtectExecutionOptions<Context extends object>
  extends ReadingProtect<Context>,
    Omit<ReadWhenAskedOptions, 'knownDocument' | 'chargeFee'> {
  /** If given, the events of a subscription throw the error that ends it. @default none */
  transport?: Transport<Context> | undefined;
}

/**
 * Returns the options of a graphql-ws or graphql-sse server, with functions that price and charge
 * an operation before they execute it. Documents are parsed and validated only when they are
 * charged. A denial is a result with errors. A subscription is charged its estimate when it begins,
 * and each event its actual cost.
 *
 * @throws TypeError if the options have an `execute` or `subscribe`
 */
export function protectExecution<Context extends object, Options extends object>(
  protection: ProtectExecutionOptions<Context>,
  options: Options | undefined,
): Options & ProtectedExecution {
  const execution = createProtectedExecution(protection);
  if (options === undefined) return execution as Options & ProtectedExecution;
  const given = ['execute', 'subscribe'].filter((name) => options[name as keyof Options] !== undefined);
  if (given.length > 0)
    throw new TypeError(`tollgate.execution: expected no ${given.join(' and no ')}, because Tollgate provides its own`);
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
  transport,
}: ProtectExecutionOptions<Context>): ProtectedExecution {
  async function admit(args: ExecutionArgs): Promise<AdmittedRequest | ExecutionResult> {
    const { document, operationName, variableValues: variables } = args;
    const contextValue = (args.contextValue ?? {}) as Context;
    const caller = { headers: headersOf(contextValue), contextValue };
    const reading = readingOf(document);
    if (reading && 'rejection' in reading) {
      return resultOfAnswer(await answerRejected(protect, { rejection: reading.rejection, ...caller }));
    }
    const unread = reading && 'text' in reading ? reading : undefined;
    const text = unread?.text ?? document.loc?.source.body;
    // A document that is not validated yet is charged by its text. The server may have changed any
    // other document after parsing it, so the parsed document is charged. There are two exceptions:
    // the text exceeds the document limits, or the server uses another schema. The text is then
    // read again, which rejects it if it is too large or invalid for the priced schema.
    const isByText =
      unread !== undefined || (text !== undefined && (args.schema !== schema || documents.ofText(text) !== undefined));
    const asked = await protectParsed(
      { ...(isByText ? { query: text } : { document }), operationName, variables, ...caller },
      unread?.isParsed ? document : undefined,
      transport?.connectionOf(contextValue),
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
      const document = request.start(args.contextValue as object | undefined, args.fieldResolver);
      let result: Awaited<ReturnType<typeof subscribe>>;
      try {
        result = await subscribe({ ...args, document });
      } catch (error) {
        request.abandon();
        throw error;
      }
      if (Symbol.asyncIterator in result) {
        if (!transport || !request.isSubscription) return settledWhenOver(request, result).parts;
        return request.events(transport.bounded((args.contextValue ?? {}) as Context, result), {
          throwsErrors: true,
          transport: 'WEBSOCKET',
        });
      }
      const { extensions } = (await request.finish(result)).body;
      return extensions ? { ...result, extensions } : result;
    },
  };
}
