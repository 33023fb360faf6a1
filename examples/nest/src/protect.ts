import type { ApolloDriverConfig } from '@nestjs/apollo';
import { createTollgate, type ProtectedExecution, type Tollgate, type TollgatePlugin } from 'tollgate';

interface Context {
  req: { ip?: string };
}

let created: Tollgate<Context> | undefined;
let plugin: TollgatePlugin<Context>;
let execution: ProtectedExecution;

/**
 * Executes operations that arrive over WebSockets, which plugins of Apollo Server do not see. Callers
 * are identified by the HTTP request of the handshake.
 */
const protectedSockets: ProtectedExecution = {
  execute: (args) => execution.execute(args),
  subscribe: (args) => execution.subscribe(args),
};

/** Returns the Tollgate instance. @throws Error before Nest has built the schema. */
export function tollgate(): Tollgate<Context> {
  if (!created) throw new Error('Nest has not built its schema yet');
  return created;
}

/**
 * Options that protect the GraphQL module. Nest first builds the schema from its resolvers, and then
 * creates Apollo Server. `transformSchema` runs between these two steps, so Tollgate is created there.
 */
export const protect: Pick<ApolloDriverConfig, 'transformSchema' | 'plugins' | 'subscriptions'> = {
  async transformSchema(schema) {
    created = await createTollgate<Context>({
      schema,
      // In a real server, return the user that a guard or a middleware has verified. This example uses
      // the address of the caller.
      identify: ({ contextValue: { req } }) => ({ ip: req.ip }),
    });
    plugin = created.plugin();
    execution = created.execution();
    return schema;
  },
  plugins: [
    {
      serverWillStart: (server) => plugin.serverWillStart(server),
      requestDidStart: (request) => plugin.requestDidStart(request as never),
    },
  ],
  // The type of this option does not declare `execute` and `subscribe`, but Nest passes them to
  // graphql-ws. The cast avoids a type error.
  subscriptions: { 'graphql-ws': protectedSockets as object },
};
