// Entry point `tollgate/graphql-http`: protects graphql-http.
export { type ProtectedHandlerOptions, protectHandler } from '../graphql-http/protect-handler.js';
