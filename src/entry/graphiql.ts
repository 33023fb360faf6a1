// Entry point `tollgate/graphiql`: prices in GraphiQL while an operation is edited. For a page, not
// for a server.
export { type CostPlugin, type CostPluginOptions, createCostPlugin } from '../graphiql/cost-plugin.js';
export type { PayingTier } from '../graphiql/price-view.js';
