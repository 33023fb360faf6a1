import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { buildSchema } from 'graphql';

/** Hive Gateway before an API, whose schema it is given. */
export function openHive({ endpoint, sdl, plugins }) {
  const gateway = createGatewayRuntime({
    proxy: { endpoint },
    schema: buildSchema(sdl),
    plugins: () => plugins,
    logging: false,
  });
  return { listener: gateway, close: () => gateway[Symbol.asyncDispose]() };
}
