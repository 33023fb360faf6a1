import { ApolloLink, Observable } from '@apollo/client/core';
import { print } from '@apollo/client/utilities';
import type { GraphqlAnswer, HttpAnswer, ReadBudget } from './budget-report.js';
import { checkDoorOptions, pacerOptionsOf } from './check-options.js';
import { createPacer, type Pacer, PacerError, type PacerOptions, type Permit, type PriceOf } from './pacer.js';
import { readTollgate } from './read-tollgate.js';

export interface TollgateLinkOptions extends PacerOptions {
  /** Shared with others of the same budget. @default one of its own, made of the other options */
  pacer?: Pacer;
  /** How the API says what is left. @default Tollgate's answers */
  read?: ReadBudget;
  /** What operations cost, where that is known beforehand: `createManifestPrices(manifest)`. @default learned from answers */
  priceOf?: PriceOf;
  /** Higher goes first. @default the `priority` of the operation's context, else 0 */
  priorityOf?: (operation: ApolloLink.Operation) => number;
}

/**
 * Paces the operations of an Apollo Client: stands before the link that sends.
 * @example new ApolloClient({ cache, link: ApolloLink.from([tollgateLink(), new HttpLink({ uri })]) })
 */
export function tollgateLink(options: TollgateLinkOptions = {}): ApolloLink & { readonly pacer: Pacer } {
  checkDoorOptions('tollgateLink', options);
  const {
    pacer = createPacer(pacerOptionsOf(options)),
    read = readTollgate,
    priceOf,
    priorityOf = priorityOfContext,
  } = options;
  const keyOf = createDocumentKeys();
  const price = ({ query, operationName, variables }: ApolloLink.Operation) =>
    priceOf?.({ document: print(query), operationName, variables });

  const link = new ApolloLink((operation, forward) => {
    if (isSubscription(operation)) return forward(operation);
    return new Observable<ApolloLink.Result>((observer) => {
      const controller = new AbortController();
      let subscription: { unsubscribe(): void } | undefined;
      const { signal } = controller;
      const { variables } = operation;
      pacer
        .admit({ key: keyOf(operation), variables, priority: priorityOf(operation), price: price(operation), signal })
        .then(send, (error) => signal.aborted || observer.error(error));

      function send(permit: Permit): void {
        if (signal.aborted) {
          permit.lost();
          return;
        }
        let isAnswered = false;
        let comesAgain = false;
        /** Whether the answer is one to pass on; else it comes again, or `otherwise` does. */
        const take = (answer: GraphqlAnswer | undefined, http: HttpAnswer | undefined, otherwise: () => void) => {
          if (isAnswered) return true;
          isAnswered = true;
          const next = permit.answered(read(answer, http));
          if (next.outcome === 'DONE') return true;
          comesAgain = true;
          subscription?.unsubscribe();
          next.admitted.then(send, (error) => {
            if (signal.aborted) return;
            if (error instanceof PacerError) otherwise();
            else observer.error(error);
          });
          return false;
        };
        subscription = forward(operation).subscribe({
          next(result) {
            const passOn = () => observer.next(result);
            const isLast = () => {
              passOn();
              observer.complete();
            };
            if (take(result as GraphqlAnswer, httpOf(operation), isLast)) passOn();
          },
          error(error) {
            const refused = refusalOf(error);
            if (refused === undefined) {
              if (!isAnswered) permit.lost();
              observer.error(error);
            } else if (take(refused.answer, refused.http, () => observer.error(error))) observer.error(error);
          },
          complete() {
            if (!isAnswered) permit.lost();
            // A link that answers at once ends before it can be unsubscribed from.
            if (!comesAgain) observer.complete();
          },
        });
        signal.addEventListener('abort', () => {
          subscription?.unsubscribe();
          if (!isAnswered) permit.lost();
        });
      }

      return () => controller.abort();
    });
  });
  return Object.assign(link, { pacer });
}

/** Documents are told apart as the objects that they are: a client keeps one of each. */
function createDocumentKeys(): (operation: ApolloLink.Operation) => string {
  const keys = new WeakMap<object, string>();
  let count = 0;
  return ({ query, operationName = '' }) => {
    const known = keys.get(query) ?? `document ${++count}`;
    keys.set(query, known);
    return `${known} ${operationName}`;
  };
}

function isSubscription({ query, operationName }: ApolloLink.Operation): boolean {
  return query.definitions.some(
    (definition) =>
      definition.kind === 'OperationDefinition' &&
      definition.operation === 'subscription' &&
      (operationName === undefined || definition.name?.value === operationName),
  );
}

function priorityOfContext(operation: ApolloLink.Operation): number {
  const { priority } = operation.getContext() as { priority?: unknown };
  return typeof priority === 'number' ? priority : 0;
}

function httpOf(operation: ApolloLink.Operation): HttpAnswer | undefined {
  const { response } = operation.getContext() as { response?: Response };
  return response && { status: response.status, header: (name) => response.headers.get(name) };
}

/** What Apollo makes of an answer with another status than 200, with its body as text or parsed. */
function refusalOf(error: unknown): { answer: GraphqlAnswer | undefined; http: HttpAnswer } | undefined {
  const { statusCode, response, bodyText, result } = (error ?? {}) as {
    statusCode?: unknown;
    response?: Response;
    bodyText?: unknown;
    result?: unknown;
  };
  if (typeof statusCode !== 'number') return undefined;
  let answer = typeof result === 'object' && result !== null ? (result as GraphqlAnswer) : undefined;
  if (typeof bodyText === 'string') {
    try {
      answer = JSON.parse(bodyText) as GraphqlAnswer;
    } catch {
      // Not an answer of the API's: its status says what there is to say.
    }
  }
  return { answer, http: { status: statusCode, header: (name) => response?.headers?.get(name) ?? null } };
}
