// Entry point `tollgate/graphiql`: shows prices in GraphiQL while the user edits an operation. It
// runs in a browser.
export { type CostPlugin, type CostPluginOptions, createCostPlugin } from '../graphiql/cost-plugin.js';
export type { PayingTier } from '../graphiql/price-view.js';
