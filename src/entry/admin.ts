// Entry point `tollgate/admin`: the admin API and the console, for use in your own server.
import type { GraphQLSchema } from 'graphql';
import type { AdminHandlerOptions } from '../admin/admin-handler-options.js';
import type { AdminHandler } from '../admin/create-admin-handler.js';
import type { AdminSchemaOptions } from '../admin/create-admin-schema.js';
import { loadEntryPoint } from '../runtime/packages/load-entry-point.js';

export type { AdminHandlerOptions, Administrator } from '../admin/admin-handler-options.js';
export { type AdminCaller, type AdminContext, createAdminContext } from '../admin/context/admin-context.js';
export type { AdminHandler } from '../admin/create-admin-handler.js';
export type { AdminSchemaOptions } from '../admin/create-admin-schema.js';
export { sourcesOf } from '../admin/sources-of.js';

const ENTRY_POINT = 'tollgate/admin';
const OF_SCHEMA = ['type-graphql', 'reflect-metadata'];
const OF_HANDLER = [...OF_SCHEMA, '@apollo/server', 'express', 'csv-stringify'];

/**
 * Creates a handler for `node:http` that also works as Express middleware. It serves the admin API,
 * its event stream and the exports. All of them use the same authentication.
 */
export async function createAdminHandler(options: AdminHandlerOptions): Promise<AdminHandler> {
  const admin = await loadEntryPoint(ENTRY_POINT, OF_HANDLER, () => import('../admin/create-admin-handler.js'));
  return admin.createAdminHandler(options);
}

/** Creates the schema of the admin API. Execute it with a context of `createAdminContext`. */
export async function createAdminSchema(options: AdminSchemaOptions): Promise<GraphQLSchema> {
  const admin = await loadEntryPoint(ENTRY_POINT, OF_SCHEMA, () => import('../admin/create-admin-schema.js'));
  return admin.createAdminSchema(options);
}
