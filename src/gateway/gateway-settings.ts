/** Member of the payload of `connection_init` that contains a credential. */
export interface SocketCredential {
  /** Names of the members, from the payload inwards: `headers`, `authorization`. */
  readonly path: readonly string[];
  /** Header in which a request over HTTP has this credential. */
  readonly header: 'authorization' | 'x-api-key';
}

/** Settings of a gateway for its upstream. */
export interface GatewaySettings {
  /** URL of the API: http or https, with its path. */
  readonly upstream: string;
  /**
   * URL of the API for WebSockets: ws or wss.
   * @default `upstream`, with the scheme of WebSockets
   */
  readonly upstreamSocket?: string | undefined;
  /** Maximum number of operations of one WebSocket that run at the same time. */
  readonly maxSocketOperations: number;
  /**
   * Path of the schema: SDL, or the JSON of an introspection query.
   * @default the gateway introspects the upstream
   */
  readonly schemaFile: string | undefined;
  /**
   * Path of the prices by schema coordinate, in YAML or JSON.
   * @default the prices that the schema sets, and inferred prices
   */
  readonly costsFile?: string | undefined;
  /**
   * Interval in milliseconds at which the schema is read again; with 0, it is read again only on
   * request.
   */
  readonly schemaPollMs: number;
  /** Whether all limits are in shadow mode and prices are logged. */
  readonly observe: boolean;
  /** Value of `Authorization` in the gateway's own requests. */
  readonly ownAuthorization: string | undefined;
  /**
   * Maximum time to wait for the start of the upstream's response, and then for progress in it, in
   * milliseconds.
   */
  readonly upstreamTimeoutMs: number;
  /** Maximum number of concurrent requests to the upstream. Further requests receive a 503. */
  readonly maxUpstreamRequests: number;
  /** Maximum number of open subscriptions. Further subscriptions receive a 503. */
  readonly maxUpstreamSubscriptions: number;
  /**
   * Members of the payload of `connection_init` that identify the caller of a WebSocket.
   * @default the headers of the handshake identify the caller
   */
  readonly socketCredentials?: readonly SocketCredential[];
  /**
   * Time in milliseconds without an event after which a client of a subscription receives a
   * heartbeat.
   */
  readonly heartbeatMs: number;
  /**
   * Names of the request headers to forward, in lower case. Undefined: all headers that are not
   * removed.
   */
  readonly allowedHeaders: readonly string[] | undefined;
  /** Names of the request headers to remove, in addition to those that are always removed. */
  readonly deniedHeaders: readonly string[];
  /**
   * Names of headers that only proxies set and that the gateway forwards, in lower case. Other
   * headers of proxies are removed.
   * @default none
   */
  readonly passedHeaders?: readonly string[];
  /**
   * Maximum size, in bytes, of a response that the gateway reads to count its cost. A larger
   * response is forwarded without being parsed, and is charged by its bytes.
   */
  readonly maxReadBytes: number;
  /**
   * Price, in tokens per KiB, of a response that is not read.
   * @default the average price of earlier responses that were read
   */
  readonly tokensPerKib?: number | undefined;
  /**
   * Maximum size, in bytes, of all responses that the gateway holds in memory: while it reads them
   * and until the caller has received them. Above it, responses are forwarded unread.
   */
  readonly maxHeldBytes: number;
}
