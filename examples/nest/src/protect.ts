import type { ApolloDriverConfig } from '@nestjs/apollo';
import { createTollgate, type ProtectedExecution, type Tollgate, type TollgatePlugin } from 'tollgate';

interface Context {
  req: { ip?: string };
}

let created: Tollgate<Context> | undefined;
let plugin: TollgatePlugin<Context>;
let execution: ProtectedExecution;

/** What executes operations over WebSockets, of which no plugin of Apollo Server is told. Their callers are known by the handshake. */
const protectedSockets: ProtectedExecution = {
  execute: (args) => execution.execute(args),
  subscribe: (args) => execution.subscribe(args),
};

/** There once Nest has made the schema. */
export function tollgate(): Tollgate<Context> {
  if (!created) throw new Error('Nest has not made its schema yet');
  return created;
}

/**
 * Nest makes the schema of the resolvers it finds, and Apollo Server after that: Tollgate is made between the two, with the
 * schema that is served.
 */
export const protect: Pick<ApolloDriverConfig, 'transformSchema' | 'plugins' | 'subscriptions'> = {
  async transformSchema(schema) {
    created = await createTollgate<Context>({
      schema,
      // Say who is asking by what a guard or a middleware has checked; here callers are told apart by their address.
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
