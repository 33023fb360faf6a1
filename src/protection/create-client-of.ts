/** The client program of a request, as the program names itself. Clients can choose any name. */
interface RequestClient {
  /** Name in the header `apollographql-client-name`. */
  client: string | undefined;
  /** Whether one of its names is in `agentClients`. */
  isAgentClient: boolean;
}

/**
 * Creates the function that reads the client of a request from its headers, and from
 * `clientLibrary.name` of its extensions, as Apollo's clients send it.
 */
export function createClientOf(agentClients: readonly string[] = AGENT_CLIENTS) {
  const agents = new Set<unknown>(agentClients);
  return (header: (name: string) => string | undefined, extensions?: unknown): RequestClient => {
    const client = header('apollographql-client-name');
    return { client, isAgentClient: agents.has(client) || agents.has(libraryOf(extensions)) };
  };
}

/** Returns the name of the client library. The extensions are unchecked JSON. */
function libraryOf(extensions: unknown): unknown {
  const { clientLibrary } = (extensions ?? {}) as { clientLibrary?: unknown };
  return ((clientLibrary ?? {}) as { name?: unknown }).name;
}

/** Default client names of agents. Apollo's MCP server sends this name. */
export const AGENT_CLIENTS: readonly string[] = ['mcp'];
