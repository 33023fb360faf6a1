import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation';
import { buildSchema } from 'graphql';

/** Opens a Hive Gateway in front of an API with the given schema. */
export function openHive({ endpoint, sdl, plugins }) {
  const gateway = createGatewayRuntime({
    proxy: { endpoint },
    schema: buildSchema(sdl),
    plugins: () => plugins,
    logging: false,
  });
  return { listener: gateway, close: () => gateway[Symbol.asyncDispose]() };
}

/** Returns the schema that Hive Gateway serves for a supergraph. */
export const schemaOf = (supergraphSdl) => getStitchedSchemaFromSupergraphSdl({ supergraphSdl });

/**
 * Opens a Hive Gateway in front of a supergraph, which it fetches again on request.
 * @param supergraph returns its SDL
 */
export function openSupergraph({ supergraph, plugins }) {
  const gateway = createGatewayRuntime({ supergraph, plugins: () => plugins, logging: false });
  return {
    async ask(query) {
      const response = await gateway.fetch('http://localhost/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      return response.json();
    },
    fetchAgain: () => gateway.invalidateUnifiedGraph(),
    close: () => gateway[Symbol.asyncDispose](),
  };
}
