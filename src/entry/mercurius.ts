// Entry point `tollgate/mercurius`: protects Mercurius on Fastify.
export { type MercuriusOptions, protectMercurius } from '../mercurius/protect-mercurius.js';
