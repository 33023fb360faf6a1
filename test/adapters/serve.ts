import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type GraphQLSchema, graphql } from 'graphql';

interface Served {
  /** URL without a path. */
  url: string;
  /** Returns the number of clients that disconnected before their response. */
  departed(): number;
  close(): Promise<unknown>;
}

/** Serves a handler at a free port. */
export async function serve(listener: RequestListener): Promise<Served> {
  let departed = 0;
  const server = createServer((request, response) => {
    response.once('close', () => {
      if (!response.writableFinished) departed++;
    });
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    departed: () => departed,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Serves a server without limits that executes operations, for adapters that forward them. */
export function serveExecutor(schema: GraphQLSchema): Promise<Served> {
  return serve(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += chunk;
    const { query, operationName, variables } = JSON.parse(text);
    const answer = await graphql({ schema, source: query, operationName, variableValues: variables });
    res.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
}

/** Reason why such adapters lack resolvers. */
export const RUN_IN_UPSTREAM = 'the resolvers run in another process, and only their response is known';
