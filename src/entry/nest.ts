// Entry point `tollgate/nest`: protects the GraphQL module of NestJS.
export { type NestDriverOptions, type NestTollgateOptions, protectNest } from '../nest/protect-nest.js';
