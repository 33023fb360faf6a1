import type { ApolloDriverConfig } from '@nestjs/apollo';
import { createTollgate, type ProtectedExecution, type Tollgate, type TollgatePlugin } from 'tollgate';

interface Context {
  req: { ip?: string };
}

let created: Tollgate<Context> | undefined;
let plugin: TollgatePlugin<Context>;
let execution: ProtectedExecution;

/**
 * Executes operations over WebSockets, which no plugin of Apollo Server sees. The handshake identifies
 * their callers.
 */
const protectedSockets: ProtectedExecution = {
  execute: (args) => execution.execute(args),
  subscribe: (args) => execution.subscribe(args),
};

/** Returns the Tollgate, once Nest has built the schema. */
export function tollgate(): Tollgate<Context> {
  if (!created) throw new Error('Nest has not made its schema yet');
  return created;
}

/**
 * Nest builds the schema of its resolvers, then Apollo Server. Tollgate is created between the two, with
 * the served schema.
 */
export const protect: Pick<ApolloDriverConfig, 'transformSchema' | 'plugins' | 'subscriptions'> = {
  async transformSchema(schema) {
    created = await createTollgate<Context>({
      schema,
      // Identify callers by what a guard or a middleware has verified. This example uses their address.
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
  // Nest passes on what its types do not name: cast, they let it through.
  subscriptions: { 'graphql-ws': protectedSockets as object },
};
