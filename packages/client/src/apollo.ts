import { ApolloLink, Observable } from '@apollo/client/core';
import { print } from '@apollo/client/utilities';
import type { GraphqlAnswer, HttpAnswer, ReadBudget } from './budget-report.js';
import { checkAdapterOptions, pacerOptionsOf } from './check-options.js';
import { createPacer, type Pacer, PacerError, type PacerOptions, type Permit, type PriceOf } from './pacer.js';
import { readSafely } from './read-safely.js';
import { readTollgate } from './read-tollgate.js';

export interface TollgateLinkOptions extends PacerOptions {
  /**
   * Pacer to share with other users of the same budget.
   * @default a new pacer with the other options
   */
  pacer?: Pacer;
  /** Reads the budget from responses. @default `readTollgate` */
  read?: ReadBudget;
  /**
   * Price of an operation before it is sent: `createManifestPrices(manifest)`.
   * @default learned from responses
   */
  priceOf?: PriceOf;
  /**
   * Returns the priority of an operation. Operations with a higher priority are sent first.
   * @default the `priority` of its context, or 0
   */
  priorityOf?: (operation: ApolloLink.Operation) => number;
}

/**
 * Returns a link that paces the operations of an Apollo Client. Place it before the link that sends
 * operations, such as HttpLink.
 * @example ApolloLink.from([tollgateLink(), new HttpLink({ uri })])
 */
export function tollgateLink(options: TollgateLinkOptions = {}): ApolloLink & { readonly pacer: Pacer } {
  checkAdapterOptions('tollgateLink', options);
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
        .then(send, fail);

      function fail(error: unknown): void {
        if (!signal.aborted) observer.error(error);
      }

      /**
       * Ends the operation with an error of a link or of `read`, and reports the permit as lost.
       */
      function failWith(permit: Permit, error: unknown): void {
        permit.lost();
        fail(error);
      }

      function send(permit: Permit): void {
        if (signal.aborted) {
          permit.lost();
          return;
        }
        try {
          forwardWith(permit);
        } catch (error) {
          failWith(permit, error);
        }
      }

      function forwardWith(permit: Permit): void {
        let isAnswered = false;
        let comesAgain = false;
        /**
         * Returns whether to pass the response on. If not, the operation waits to be sent again. If
         * it cannot wait long enough, `otherwise` runs.
         */
        const take = (answer: GraphqlAnswer | undefined, http: HttpAnswer | undefined, otherwise: () => void) => {
          if (isAnswered) return true;
          isAnswered = true;
          const next = permit.answered(readSafely(read, answer, http));
          if (next.outcome === 'DONE') return true;
          comesAgain = true;
          subscription?.unsubscribe();
          next.admitted.then(send, (error) => {
            if (!signal.aborted && error instanceof PacerError) otherwise();
            else fail(error);
          });
          return false;
        };
        /** Runs a step on a response. An error of `read` ends the operation. */
        const guarded = (step: () => void) => {
          try {
            step();
          } catch (error) {
            subscription?.unsubscribe();
            failWith(permit, error);
          }
        };
        subscription = forward(operation).subscribe({
          next(result) {
            const passOn = () => observer.next(result);
            const isLast = () => {
              passOn();
              observer.complete();
            };
            guarded(() => take(result as GraphqlAnswer, httpOf(operation), isLast) && passOn());
          },
          error(error) {
            const rejection = rejectionOf(error);
            if (rejection === undefined) {
              if (!isAnswered) permit.lost();
              observer.error(error);
              return;
            }
            const passOn = () => observer.error(error);
            guarded(() => take(rejection.answer, rejection.http, passOn) && passOn());
          },
          complete() {
            if (!isAnswered) permit.lost();
            // A link that responds synchronously completes before the subscription exists.
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

/**
 * Returns a function that identifies documents by object identity: a client uses the same object
 * for the same document.
 */
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

/**
 * Reads the response from the error that Apollo creates for an HTTP status of 300 or more. The body
 * is text or already parsed. Returns undefined for errors without a status.
 */
function rejectionOf(error: unknown): { answer: GraphqlAnswer | undefined; http: HttpAnswer } | undefined {
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
      // The body is not JSON: a proxy in front of the API may have responded. Only the status and
      // the headers are usable.
    }
  }
  return { answer, http: { status: statusCode, header: (name) => response?.headers?.get(name) ?? null } };
}
