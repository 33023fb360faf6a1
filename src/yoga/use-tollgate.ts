import type { DocumentNode, ExecutionResult } from 'graphql';
import type { Answer } from '../any-server/answer-of.js';
import type { AdmittedRequest, Protect } from '../any-server/protect.js';
import { createObjectNotes } from '../model/attach-to-object.js';

/** One, or the parts of one. */
type YogaResult = ExecutionResult | AsyncIterable<ExecutionResult>;

/**
 * The hooks of GraphQL Yoga that Tollgate has. A type of our own, so that a program without Yoga needs no types of it to be
 * compiled.
 */
export interface YogaPlugin {
  onParams(payload: {
    params: {
      query?: string | undefined;
      operationName?: string | null | undefined;
      variables?: Readonly<Record<string, unknown>> | null | undefined;
    };
    request: Request;
    context: object;
    setResult(result: ExecutionResult): void;
  }): Promise<void>;
  onExecute(payload: { args: { document: DocumentNode; contextValue: object } }): void;
  onExecutionResult(payload: {
    result: YogaResult | undefined;
    setResult(result: YogaResult): void;
    context: object;
  }): Promise<void>;
}

/**
 * Protects GraphQL Yoga, and what is built of it: `createYoga({ schema, plugins: [useTollgate(tollgate)] })`. Put it behind
 * plugins that change what is asked for, such as persisted operations. `identify` is asked with Yoga's context as it is before
 * your own `context` adds to it: with `request`, and with Node's `req`.
 */
export function useTollgate<Context extends object>(tollgate: { readonly protect: Protect<Context> }): YogaPlugin {
  const admitted = createObjectNotes<object, AdmittedRequest>();

  return {
    async onParams({ params, request, context, setResult }) {
      const { query, operationName, variables } = params;
      const { headers, signal } = request;
      const contextValue = Object.assign(context, { request }) as unknown as Context;
      const asked = await tollgate.protect({ query, operationName, variables, headers, contextValue, signal });
      if (asked.admitted) admitted.set(context, asked);
      else setResult(resultOf(asked.answer));
    },
    onExecute({ args }) {
      const request = admitted.get(args.contextValue);
      if (request) args.document = request.start(args.contextValue);
    },
    async onExecutionResult({ result, setResult, context }) {
      const request = admitted.get(context);
      if (request === undefined || result === undefined) return;
      if (Symbol.asyncIterator in result) {
        setResult(untilOver(result, (whenOver) => void request.finish({}, { whenOver })));
        return;
      }
      const answer = await request.finish(result);
      // With the errors as Yoga has masked them.
      setResult({ ...result, extensions: extensionsOf(answer) });
    },
  };
}

/** Yoga makes status and headers of `extensions.http`. */
function extensionsOf({ status, headers, body }: Answer): Record<string, unknown> {
  return { ...body.extensions, http: { status, headers } };
}

function resultOf(answer: Answer): ExecutionResult {
  const { errors, data } = answer.body;
  return {
    ...(errors && { errors: errors as ExecutionResult['errors'] & object }),
    ...(data !== undefined && { data: data as ExecutionResult['data'] & object }),
    extensions: extensionsOf(answer),
  };
}

/** Passes all parts on, and says when the last is out, or when the reader has gone. */
async function* untilOver<Part>(parts: AsyncIterable<Part>, begin: (whenOver: Promise<void>) => void) {
  let over = () => {};
  begin(new Promise<void>((resolve) => (over = resolve)));
  try {
    yield* parts;
  } finally {
    over();
  }
}
