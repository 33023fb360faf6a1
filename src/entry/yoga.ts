// Entry point `tollgate/yoga`: protects GraphQL Yoga, and servers built on it.

export { useTollgate } from '../yoga/use-tollgate.js';
export type { YogaPlugin } from '../yoga/yoga-plugin.js';
