import { defaultFieldResolver, type ExecutionResult, GraphQLError, type GraphQLSchema, Location } from 'graphql';
import { shownErrors } from '../graphql-ws/reported-errors.js';
import { withoutHttp } from '../protection/answer/http-of-errors.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import type { SocketOperation } from './mercurius-socket.js';

/** Member of the context of Mercurius. Mercurius copies it to the context of the execution. */
const OPERATION = Symbol('tollgate operation');

export function setOperation(context: object, operation: SocketOperation): void {
  Object.assign(context, { [OPERATION]: operation });
}

export function operationIn(context: unknown): SocketOperation | undefined {
  if (typeof context !== 'object' || context === null) return undefined;
  return (context as { [OPERATION]?: SocketOperation })[OPERATION];
}

/** Value for which the fields of the subscription type resolve to null. */
const EXECUTED = Object.freeze({});

const wrapped = createObjectNotes<GraphQLSchema, true>();

/**
 * Makes each field of the subscription type return the priced events of the operation in its context.
 * Mercurius then executes its document once more for each event, without resolvers, and its hook
 * `onSubscriptionResolution` replaces this result. Other operations are unchanged.
 */
export function wrapSubscriptions(schema: GraphQLSchema): void {
  if (wrapped.get(schema)) return;
  wrapped.set(schema, true);
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
    const { subscribe = defaultFieldResolver, resolve = defaultFieldResolver } = field;
    field.subscribe = (source, args, contextValue: unknown, info) => {
      const operation = operationIn(contextValue);
      if (!operation || operation.hasBegun) return subscribe(source, args, contextValue, info);
      operation.hasBegun = true;
      const { loc, name } = info.operation;
      // A client may send a parsed document, whose location is not that of its definitions.
      const document = loc instanceof Location ? loc.source.body : undefined;
      const executedWith = { schema: info.schema, rootValue: source, contextValue: contextValue as object };
      return open(operation, operation.begin({ document, operationName: name?.value }, executedWith));
    };
    field.resolve = (source, args, contextValue, info) =>
      source === EXECUTED ? null : resolve(source, args, contextValue, info);
  }
}

async function open(
  operation: SocketOperation,
  begun: ReturnType<SocketOperation['begin']>,
): Promise<AsyncIterable<object>> {
  let events: AsyncIterator<ExecutionResult>;
  try {
    const result = await begun;
    if (!(Symbol.asyncIterator in result))
      throw result.errors?.[0] ?? new GraphQLError('The subscription has no events');
    events = result[Symbol.asyncIterator]();
  } catch (error) {
    operation.stop();
    // An error of the field would be written to the log of Fastify.
    return failing(error);
  }
  const end = () => void Promise.resolve(events.return?.()).catch(() => {});
  operation.onStop = end;
  if (operation.hasEnded) end();
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        try {
          const step = await events.next();
          if (!step.done) {
            operation.result = step.value;
            return { done: false, value: EXECUTED };
          }
          operation.stop();
          return { done: true, value: undefined };
        } catch (error) {
          operation.stop();
          throw shownError(error);
        }
      },
      async return() {
        operation.stop();
        return { done: true, value: undefined };
      },
    }),
  };
}

function failing(error: unknown): AsyncIterable<never> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(shownError(error)),
      return: async () => ({ done: true, value: undefined }),
    }),
  };
}

/** Returns the first error without its HTTP status. Mercurius sends only one error. */
function shownError(error: unknown): unknown {
  const given = error instanceof GraphQLError ? error : new GraphQLError('', { originalError: error as Error });
  const [shown] = shownErrors([given]);
  if (shown === undefined || (shown === given && given !== error)) return error;
  const { message, extensions = {} } = withoutHttp(shown);
  return new GraphQLError(message, { originalError: shown, path: shown.path, extensions });
}
