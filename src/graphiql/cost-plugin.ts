/// <reference path="./graphiql-react.d.ts" />
import { useGraphiQL } from '@graphiql/react';
import { createElement, type FunctionComponent, useEffect, useState } from 'react';
import { createPricer, type Price, type WrittenOperation } from './create-pricer.js';
import { type PayingTier, PriceView } from './price-view.js';

export interface CostPluginOptions {
  /**
   * Tiers for which the plugin shows how often a caller can send the operation, or a function that
   * resolves to them. The function can query `{ tiers { nodes { ... } } }` of the admin API.
   * @default none: only prices are shown
   */
  tiers?: readonly PayingTier[] | (() => Promise<readonly PayingTier[]>);
  /**
   * Pause in typing after which the plugin requests the price, in milliseconds. Each request costs
   * the caller one token.
   * @default 500
   */
  pauseMs?: number;
}

/** A plugin of GraphiQL 5, for `<GraphiQL plugins={[...]}>`. */
export interface CostPlugin {
  title: string;
  icon: FunctionComponent;
  content: FunctionComponent;
}

/**
 * Creates a plugin that shows the cost of the operation in GraphiQL's editor, field by field, and
 * how often each tier can afford it. It updates the price while you edit, before you send the
 * operation. The plugin requests prices from the API with GraphiQL's fetcher and headers. The API
 * runs nothing for these requests.
 *
 * @example
 * const cost = createCostPlugin({ tiers: [{ name: 'free', capacity: 1000, refillAmount: 50, refillPeriodMs: 1000 }] });
 * <GraphiQL fetcher={fetcher} plugins={[cost]} />
 */
export function createCostPlugin({ tiers = [], pauseMs = 500 }: CostPluginOptions = {}): CostPlugin {
  function CostPanel() {
    const fetcher = useGraphiQL((state) => state.fetcher);
    const operation = useWritten(pauseMs);
    const price = usePrice(fetcher, operation);
    return createElement(PriceView, { price, ...useTiers(tiers) });
  }
  return { title: 'Cost', icon: CostIcon, content: CostPanel };
}

/** Returns the content of the editors, updated when the user has stopped typing for `pauseMs`. */
function useWritten(pauseMs: number): WrittenOperation | undefined {
  const query = useGraphiQL((state) => state.queryEditor);
  const variables = useGraphiQL((state) => state.variableEditor);
  const headers = useGraphiQL((state) => state.headerEditor);
  const operationName = useGraphiQL((state) => state.overrideOperationName ?? state.operationName);
  const [written, setWritten] = useState<WrittenOperation>();
  useEffect(() => {
    const read = () => {
      setWritten({
        query: query?.getValue() ?? '',
        variables: variables?.getValue() ?? '',
        headers: headers?.getValue() ?? '',
        operationName,
      });
    };
    let timer = setTimeout(read, pauseMs);
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(read, pauseMs);
    };
    const listening = [query, variables, headers].map((editor) => editor?.onDidChangeModelContent(wait));
    return () => {
      clearTimeout(timer);
      for (const one of listening) one?.dispose();
    };
  }, [query, variables, headers, operationName, pauseMs]);
  return written;
}

/**
 * Returns the price of the latest operation. Returns the previous price until the new one is known.
 */
function usePrice(
  fetcher: Parameters<typeof createPricer>[0],
  operation: WrittenOperation | undefined,
): Price | undefined {
  // There is one pricer per fetcher, because it caches whether the API supports price requests.
  const [pricer, setPricer] = useState(() => ({ fetcher, priceOf: createPricer(fetcher) }));
  useEffect(() => {
    setPricer((before) => (before.fetcher === fetcher ? before : { fetcher, priceOf: createPricer(fetcher) }));
  }, [fetcher]);
  const [price, setPrice] = useState<Price>();
  useEffect(() => {
    if (!operation) return;
    if (withoutComments(operation.query) === '') return setPrice(undefined);
    let isStale = false;
    void pricer.priceOf(operation).then((found) => {
      if (!isStale) setPrice(found);
    });
    return () => {
      isStale = true;
    };
  }, [pricer, operation]);
  return price;
}

interface ReadTiers {
  tiers: readonly PayingTier[];
  /** Reason why there are no tiers. */
  problem?: string;
}

function useTiers(tiers: NonNullable<CostPluginOptions['tiers']>): ReadTiers {
  const [read, setRead] = useState<ReadTiers>({ tiers: typeof tiers === 'function' ? [] : tiers });
  useEffect(() => {
    if (typeof tiers !== 'function') return;
    tiers().then(
      (all) => setRead({ tiers: all }),
      (error: unknown) => setRead({ tiers: [], problem: `The tiers could not be read: ${String(error)}` }),
    );
  }, [tiers]);
  return read;
}

/**
 * Returns the query without comments, because GraphiQL opens with a document that contains only
 * comments.
 */
function withoutComments(query: string): string {
  return query.replace(/^[ \t]*#.*$/gm, '').trim();
}

function CostIcon() {
  const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5 };
  return createElement(
    'svg',
    { viewBox: '0 0 16 16', width: '1em', height: '1em', 'aria-hidden': true },
    createElement('circle', { ...line, cx: 8, cy: 8, r: 6.5 }),
    createElement('path', { ...line, d: 'M8 4v8M10 5.5c-3.5-1.5-5 1.5-2 2.5s1.5 4-2 2.5' }),
  );
}
