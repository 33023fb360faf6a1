import { createHash } from 'node:crypto';
import { buildSchema, type GraphQLSchema, printSchema } from 'graphql';
import type { CostOverlay } from '../cost/annotations/cost-overlay.js';
import { type CostAnalyzer, createCostAnalyzer } from '../cost/create-cost-analyzer.js';
import { readPortablePrices } from '../cost/manifest/portable-prices.js';
import type { CostAnalyzerOptions } from '../cost/settings/cost-analyzer-options.js';
import { defaultProfile } from '../cost/settings/cost-profile.js';
import { rejectMistakes } from '../options/find-mistakes.js';
import { serviceName } from './service-name.js';

/**
 * Pricing options for elements without annotations. Options that only limit the work of one process
 * are not published.
 */
type PriceOptions = Pick<
  CostAnalyzerOptions,
  | 'profile'
  | 'defaultListSize'
  | 'minimumCost'
  | 'presets'
  | 'inferListSizes'
  | 'inferConnections'
  | 'introspection'
  | 'introspectionListSize'
>;

/** A schema with its prices, for another process that prices operations exactly like the server. */
export interface PublishedSchema {
  service: string;
  /** Hash of the schema and its prices. */
  hash: string;
  sdl: string;
  prices: {
    overlay: CostOverlay;
    options: PriceOptions;
    /** Fields priced by functions, which only their own server can call. */
    functions: readonly string[];
  };
}

/** A published schema together with its cost analyzer. */
export interface PricedSchema {
  schema: GraphQLSchema;
  analyzer: CostAnalyzer;
}

/**
 * Returns the schema to publish.
 * @throws TypeError for a name that no service can have
 */
export function publishedSchemaOf(
  service: string,
  schema: GraphQLSchema,
  cost: CostAnalyzerOptions = {},
): PublishedSchema {
  checkServiceName(service);
  const {
    profile = cost.estimators?.length ? defaultProfile(cost) : undefined,
    defaultListSize,
    minimumCost,
    presets,
    inferListSizes,
    inferConnections,
  } = cost;
  const { introspection, introspectionListSize } = cost;
  const priced = { profile, defaultListSize, minimumCost, presets, inferListSizes, inferConnections };
  const options: PriceOptions = JSON.parse(JSON.stringify({ ...priced, introspection, introspectionListSize }));
  const prices = { ...readPortablePrices(schema, cost), options };
  const sdl = printSchema(schema);
  const hash = createHash('sha256')
    .update(JSON.stringify([sdl, prices]))
    .digest('hex');
  return { service, hash, sdl, prices };
}

/**
 * Rebuilds a published schema and its cost analyzer.
 * @throws Error if another version has published it in a form that this one cannot read
 */
export function restoreSchema({ sdl, prices }: Pick<PublishedSchema, 'sdl' | 'prices'>): PricedSchema {
  const schema = buildSchema(sdl, { assumeValidSDL: true });
  return { schema, analyzer: createCostAnalyzer(schema, { ...prices.options, overlay: prices.overlay }) };
}

function checkServiceName(service: string): void {
  rejectMistakes('service', serviceName.find(service, 'service'));
}
