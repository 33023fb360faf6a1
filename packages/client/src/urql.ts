import { type Exchange, makeErrorResult, type Operation, type OperationResult, stringifyDocument } from '@urql/core';
import { filter, makeSubject, merge, pipe, share, tap } from 'wonka';
import type { GraphqlAnswer, HttpAnswer, ReadBudget } from './budget-report.js';
import { checkDoorOptions, pacerOptionsOf } from './check-options.js';
import { createPacer, type Pacer, PacerError, type PacerOptions, type Permit, type PriceOf } from './pacer.js';
import { readTollgate } from './read-tollgate.js';

export interface TollgateExchangeOptions extends PacerOptions {
  /** Shared with others of the same budget. @default one of its own, made of the other options */
  pacer?: Pacer;
  /** How the API says what is left. @default Tollgate's answers */
  read?: ReadBudget;
  /** What operations cost, where that is known beforehand: `createManifestPrices(manifest)`. @default learned from answers */
  priceOf?: PriceOf;
  /** Higher goes first. @default 0 for all */
  priorityOf?: (operation: Operation) => number;
}

/**
 * Paces the operations of an urql client: stands before the exchange that sends.
 * @example new Client({ url, exchanges: [cacheExchange, tollgateExchange(), fetchExchange] })
 */
export function tollgateExchange(options: TollgateExchangeOptions = {}): Exchange & { readonly pacer: Pacer } {
  checkDoorOptions('tollgateExchange', options);
  const { pacer = createPacer(pacerOptionsOf(options)), read = readTollgate, priceOf, priorityOf = () => 0 } = options;

  const exchange: Exchange =
    ({ forward }) =>
    (operations) => {
      const shared = share(operations);
      const admitted = makeSubject<Operation>();
      const refused = makeSubject<OperationResult>();
      /** What waits or is on its way, by the key of its operation. */
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
            admitted.next(operation);
          },
          (error) => {
            if (controller.signal.aborted) return;
            open.delete(operation.key);
            const isGivenUp = error instanceof PacerError && last !== undefined;
            refused.next(isGivenUp ? last : makeErrorResult(operation, error));
          },
        );
      }

      function start(operation: Operation): void {
        if (open.has(operation.key)) return;
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

      /** Whether a result is one to pass on: a denial comes again. */
      function take(result: OperationResult): boolean {
        const { operation } = result;
        const state = open.get(operation.key);
        if (state?.permit === undefined) return true;
        open.delete(operation.key);
        const http = httpOf(result);
        if (result.error?.networkError && http === undefined) {
          state.permit.lost();
          return true;
        }
        const answer: GraphqlAnswer = {
          data: result.data,
          errors: result.error?.graphQLErrors,
          extensions: result.extensions,
        };
        const next = state.permit.answered(read(answer, http));
        if (next.outcome === 'DONE') return true;
        wait(operation, next.admitted, state.controller, result);
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
      return merge([results, refused.source]);
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
