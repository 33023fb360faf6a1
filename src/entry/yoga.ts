// The door `tollgate/yoga`: protects GraphQL Yoga, and what is built of it.

export { useTollgate } from '../yoga/use-tollgate.js';
export type { YogaPlugin } from '../yoga/yoga-plugin.js';
