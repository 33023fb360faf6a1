import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createCostPlugin } from 'tollgate/graphiql';

const fetcher = createGraphiQLFetcher({ url: new URLSearchParams(location.search).get('api') });
const plugins = [
  createCostPlugin({
    tiers: async () => [
      { name: 'free', capacity: 25, refillAmount: 5, refillPeriodMs: 60_000 },
      { name: 'pro', capacity: 1000, refillAmount: 500, refillPeriodMs: 1000, maxCostPerOperation: 200 },
    ],
  }),
];
createRoot(document.getElementById('root')).render(
  createElement(GraphiQL, { fetcher, plugins, initialQuery: '{ items(first: 20) { name } item { name } }' }),
);
