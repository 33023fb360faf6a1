/** How a gateway treats its upstream. */
export interface GatewaySettings {
  /** Where the API is: http or https, with its path. */
  readonly upstream: string;
  /** Of the schema: SDL, or the JSON of an introspection query. @default the upstream is asked */
  readonly schemaFile: string | undefined;
  /** Prices by schema coordinate, in YAML or JSON. @default those that the schema says, and what is inferred */
  readonly costsFile?: string | undefined;
  /** How often the schema is read again; 0: only when it is asked for. */
  readonly schemaPollMs: number;
  /** Everything is a shadow, and the log tells prices. */
  readonly observe: boolean;
  /** What `Authorization` is when the gateway asks for itself. */
  readonly ownAuthorization: string | undefined;
  /** How long the upstream may take to begin its answer, and to go on with it. */
  readonly upstreamTimeoutMs: number;
  /** Requests that are with the upstream at once; what comes beyond is answered 503. */
  readonly maxUpstreamRequests: number;
  /** Headers of callers that reach the upstream, in lower case; undefined: all that are not taken out. */
  readonly allowedHeaders: readonly string[] | undefined;
  /** Headers of callers that do not, besides those that never do. */
  readonly deniedHeaders: readonly string[];
  /** Headers of proxies in front that reach the upstream all the same, in lower case. @default none */
  readonly passedHeaders?: readonly string[];
  /** Of an answer that is read to count what it cost; a larger one passes, and is charged by its bytes. */
  readonly maxReadBytes: number;
  /** Tokens for each KiB of an answer that is not read. @default what answers that were read have cost */
  readonly tokensPerKib?: number | undefined;
  /** Of all answers that are held at once, to be read or until they are written; beyond, answers pass without being read. */
  readonly maxHeldBytes: number;
}
