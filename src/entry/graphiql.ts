// The door `tollgate/graphiql`: prices in GraphiQL, as an operation is written. For a page, not for a server.
export { type CostPlugin, type CostPluginOptions, createCostPlugin } from '../graphiql/cost-plugin.js';
export type { PayingTier } from '../graphiql/price-view.js';
