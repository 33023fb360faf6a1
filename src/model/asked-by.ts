/** The server that asked for a decision about an operation which it executes itself. */
export interface AskedBy {
  /** Name of the integration: `api`, `apollo-router`, `ext-authz` or `hasura-ddn`. */
  readonly integration: string;
  /** Name of the server: `service` of its request, or the name of its token. */
  readonly service: string | undefined;
}
