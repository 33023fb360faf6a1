// The door `tollgate/admin`: the administration, for a server of one's own.
export { type AdminCaller, type AdminContext, createAdminContext } from '../admin/admin-context.js';
export {
  type AdminHandler,
  type AdminHandlerOptions,
  type Administrator,
  createAdminHandler,
} from '../admin/create-admin-handler.js';
export { type AdminSchemaOptions, createAdminSchema } from '../admin/create-admin-schema.js';
export { sourcesOf } from '../admin/tollgate-sources.js';
