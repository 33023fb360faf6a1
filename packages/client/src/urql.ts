import { type Exchange, makeErrorResult, type Operation, type OperationResult, stringifyDocument } from '@urql/core';
import { filter, makeSubject, merge, pipe, share, tap } from 'wonka';
import type { GraphqlAnswer, HttpAnswer, ReadBudget } from './budget-report.js';
import { checkAdapterOptions, pacerOptionsOf } from './check-options.js';
import { createPacer, type Pacer, PacerError, type PacerOptions, type Permit, type PriceOf } from './pacer.js';
import { readSafely } from './read-safely.js';
import { readTollgate } from './read-tollgate.js';

export interface TollgateExchangeOptions extends PacerOptions {
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
   * @default 0 for all
   */
  priorityOf?: (operation: Operation) => number;
}

/**
 * Returns an exchange that paces the operations of an urql client. Place it before the exchange
 * that sends operations, such as fetchExchange.
 * @example new Client({ url, exchanges: [cacheExchange, tollgateExchange(), fetchExchange] })
 */
export function tollgateExchange(options: TollgateExchangeOptions = {}): Exchange & { readonly pacer: Pacer } {
  checkAdapterOptions('tollgateExchange', options);
  const { pacer = createPacer(pacerOptionsOf(options)), read = readTollgate, priceOf, priorityOf = () => 0 } = options;

  const exchange: Exchange =
    ({ forward }) =>
    (operations) => {
      const shared = share(operations);
      const admitted = makeSubject<Operation>();
      const failed = makeSubject<OperationResult>();
      /** Operations that wait or are in flight, by key. */
      const open = new Map<number, { controller: AbortController; permit: Permit | undefined }>();

      function wait(
        operation: Operation,
        admission: Promise<Permit>,
        controller: AbortController,
        last?: OperationResult,
      ) {
        const state = { controller, permit: undefined as Permit | undefined };
        open.set(operation.key, state);
        admission.then(
          (permit) => {
            if (controller.signal.aborted) return permit.lost();
            state.permit = permit;
            try {
              admitted.next(operation);
            } catch (error) {
              fail(operation, error);
            }
          },
          (error) => {
            if (controller.signal.aborted) return;
            open.delete(operation.key);
            const isGivenUp = error instanceof PacerError && last !== undefined;
            failed.next(isGivenUp ? last : makeErrorResult(operation, error));
          },
        );
      }

      /**
       * Ends an operation with an error of an exchange or of a callback, and reports its permit as
       * lost.
       */
      function fail(operation: Operation, error: unknown): void {
        const state = open.get(operation.key);
        open.delete(operation.key);
        state?.permit?.lost();
        failed.next(makeErrorResult(operation, error instanceof Error ? error : new Error(String(error))));
      }

      function start(operation: Operation): void {
        if (open.has(operation.key)) return;
        try {
          admit(operation);
        } catch (error) {
          fail(operation, error);
        }
      }

      function admit(operation: Operation): void {
        const controller = new AbortController();
        const { key, query, variables } = operation;
        const paced = {
          key: `${(query as { __key?: number }).__key ?? key}`,
          variables,
          priority: priorityOf(operation),
          price: priceOf?.({ document: stringifyDocument(query), variables }),
          signal: controller.signal,
        };
        wait(operation, pacer.admit(paced), controller);
      }

      function end({ key }: Operation): void {
        const state = open.get(key);
        open.delete(key);
        state?.controller.abort();
        state?.permit?.lost();
      }

      /**
       * Returns whether to pass a result on. After a denial, the operation is sent again instead.
       */
      function take(result: OperationResult): boolean {
        const state = open.get(result.operation.key);
        if (state?.permit === undefined) return true;
        try {
          return takeAnswer(result, state.controller, state.permit);
        } catch (error) {
          open.set(result.operation.key, state);
          fail(result.operation, error);
          return false;
        }
      }

      function takeAnswer(result: OperationResult, controller: AbortController, permit: Permit): boolean {
        const { operation } = result;
        open.delete(operation.key);
        const http = httpOf(result);
        if (result.error?.networkError && http === undefined) {
          permit.lost();
          return true;
        }
        const answer: GraphqlAnswer = {
          data: result.data,
          errors: result.error?.graphQLErrors,
          extensions: result.extensions,
        };
        const next = permit.answered(readSafely(read, answer, http));
        if (next.outcome === 'DONE') return true;
        wait(operation, next.admitted, controller, result);
        return false;
      }

      const passing = pipe(
        shared,
        tap((operation) => {
          if (isPaced(operation)) start(operation);
          else if (operation.kind === 'teardown') end(operation);
        }),
        filter((operation) => !isPaced(operation)),
      );
      const results = pipe(merge([admitted.source, passing]), forward, filter(take));
      return merge([results, failed.source]);
    };
  return Object.assign(exchange, { pacer });
}

function isPaced({ kind }: Operation): boolean {
  return kind === 'query' || kind === 'mutation';
}

function httpOf({ error }: OperationResult): HttpAnswer | undefined {
  const response = error?.response as Response | undefined;
  return response && { status: response.status, header: (name) => response.headers?.get(name) ?? null };
}
