// The door `tollgate/yoga`: protects GraphQL Yoga, and what is built of it.
export { useTollgate, type YogaPlugin } from '../yoga/use-tollgate.js';
