import type { ApolloDriverConfig } from '@nestjs/apollo';
import { createTollgate, type Tollgate, type TollgatePlugin } from 'tollgate';

interface Context {
  req: { ip?: string };
}

let created: Tollgate<Context> | undefined;
let plugin: TollgatePlugin<Context>;

/** There once Nest has made the schema. */
export function tollgate(): Tollgate<Context> {
  if (!created) throw new Error('Nest has not made its schema yet');
  return created;
}

/**
 * Nest makes the schema of the resolvers it finds, and Apollo Server after that: Tollgate is made between the two, with the
 * schema that is served.
 */
export const protect: Pick<ApolloDriverConfig, 'transformSchema' | 'plugins'> = {
  async transformSchema(schema) {
    created = await createTollgate<Context>({
      schema,
      // Say who is asking by what a guard or a middleware has checked; here callers are told apart by their address.
      identify: ({ contextValue: { req } }) => ({ ip: req.ip }),
    });
    plugin = created.plugin();
    return schema;
  },
  plugins: [
    {
      serverWillStart: (server) => plugin.serverWillStart(server),
      requestDidStart: (request) => plugin.requestDidStart(request as never),
    },
  ],
};
