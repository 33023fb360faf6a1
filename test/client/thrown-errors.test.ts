import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client/core';
import { Client, type Exchange, type OperationResult } from '@urql/core';
import { describe, expect, it } from 'vitest';
import { map, pipe } from 'wonka';
import { tollgateLink } from '../../packages/client/src/apollo.js';
import type { ReadBudget } from '../../packages/client/src/budget-report.js';
import { createPacedFetch } from '../../packages/client/src/paced-fetch.js';
import type { PacerOptions } from '../../packages/client/src/pacer.js';
import { readTollgate } from '../../packages/client/src/read-tollgate.js';
import { tollgateExchange } from '../../packages/client/src/urql.js';
import { until } from '../helpers/until.js';

interface Options extends PacerOptions {
  read?: ReadBudget;
  priceOf?: () => number;
  /** Sends the operation; may throw synchronously. */
  transport?: () => void;
}

interface Connected {
  pacer: { quota(): { waiting: number } | undefined };
  ask(): Promise<unknown>;
}

/**
 * A report of a bucket with room for a single operation at a time. The pacer gives each operation a
 * permit to be sent. A permit that is not returned would therefore block the next operation.
 */
const COST = { requestedQueryCost: 1, throttleStatus: { maximumAvailable: 1, currentlyAvailable: 1, restoreRate: 1 } };
const ANSWER = { data: { a: 1 }, extensions: { cost: COST } };

const CLIENTS: Record<string, (options: Options) => Connected> = {
  fetch({ transport, ...options }) {
    const send = createPacedFetch(
      (() => {
        transport?.();
        return Promise.resolve(Response.json(ANSWER));
      }) as typeof fetch,
      options,
    );
    const init = { method: 'POST', body: JSON.stringify({ query: '{ a }' }) };
    return { pacer: send.pacer, ask: async () => (await send('http://api.test/graphql', init)).json() };
  },
  'Apollo Client'({ transport, ...options }) {
    const paced = tollgateLink(options);
    const last = new ApolloLink(() => {
      transport?.();
      return new Observable<ApolloLink.Result>((observer) => {
        observer.next(ANSWER as ApolloLink.Result);
        observer.complete();
      });
    });
    const client = new ApolloClient({ cache: new InMemoryCache(), link: ApolloLink.from([paced, last]) });
    const query = gql('{ a }');
    return { pacer: paced.pacer, ask: () => client.query({ query, fetchPolicy: 'no-cache' }) };
  },
  urql({ transport, ...options }) {
    const paced = tollgateExchange(options);
    const last: Exchange = () => (operations) =>
      pipe(
        operations,
        map((operation) => {
          if (operation.kind === 'query') transport?.();
          return { operation, ...ANSWER, stale: false, hasNext: false } as OperationResult;
        }),
      );
    const client = new Client({ url: 'http://api.test/graphql', preferGetMethod: false, exchanges: [paced, last] });
    return {
      pacer: paced.pacer,
      async ask() {
        const { data, error } = await client.query('{ a }', {}, { requestPolicy: 'network-only' }).toPromise();
        if (error) throw error.networkError ?? error;
        return data;
      },
    };
  },
};

const BROKEN = new Error('broken on purpose');
const breaks = () => {
  throw BROKEN;
};

describe.each(Object.entries(CLIENTS))('%s with callbacks that throw', (_, connect) => {
  it.each<[string, (isBroken: () => boolean) => Options]>([
    ['the transport throws synchronously', (isBroken) => ({ transport: () => isBroken() && breaks() })],
    ['`read` throws', (isBroken) => ({ read: (...args) => (isBroken() ? breaks() : readTollgate(...args)) })],
    [
      '`read` returns no report',
      (isBroken) => ({ read: (...args) => (isBroken() ? (undefined as never) : readTollgate(...args)) }),
    ],
    ['`priceOf` throws', (isBroken) => ({ priceOf: () => (isBroken() ? breaks() : 1) })],
  ])('a client passes the error on and returns the permit if %s', async (_, optionsOf) => {
    let isBroken = true;
    const { ask } = connect(optionsOf(() => isBroken));
    // Six is more than the number of operations that may be in flight before the first response. So
    // permits that are not returned would block the last operations.
    for (let turn = 0; turn < 6; turn++) await expect(ask()).rejects.toThrow(/broken on purpose|budget report/);
    isBroken = false;
    await expect(ask()).resolves.toBeDefined();
  });

  it('a client sends and settles operations although `onEvent` and a subscriber throw', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    try {
      const { ask, pacer } = connect({ onEvent: breaks });
      (pacer as unknown as { subscribe(callback: () => void): void }).subscribe(breaks);
      for (let turn = 0; turn < 3; turn++) await expect(ask()).resolves.toBeDefined();
      await until('the error is reported as a warning', () =>
        warnings.some(({ message }) => message.includes('broken on purpose')),
      );
    } finally {
      process.off('warning', onWarning);
    }
  });
});
