/** Settings of a gateway for its upstream. */
export interface GatewaySettings {
  /** URL of the API: http or https, with its path. */
  readonly upstream: string;
  /**
   * Path of the schema: SDL, or the JSON of an introspection query.
   * @default the upstream is introspected
   */
  readonly schemaFile: string | undefined;
  /**
   * Path of the prices by schema coordinate, in YAML or JSON.
   * @default prices annotated in the schema, else inferred prices
   */
  readonly costsFile?: string | undefined;
  /** Interval in milliseconds at which the schema is read again; 0 reads it only on request. */
  readonly schemaPollMs: number;
  /** Whether all limits are in shadow mode and prices are logged. */
  readonly observe: boolean;
  /** Value of `Authorization` in the gateway's own requests. */
  readonly ownAuthorization: string | undefined;
  /**
   * Timeout of the upstream in milliseconds: for the start of its response, and for each further
   * part of it.
   */
  readonly upstreamTimeoutMs: number;
  /**
   * Maximum number of concurrent requests to the upstream; further requests are answered with 503.
   */
  readonly maxUpstreamRequests: number;
  /**
   * Names of the caller's headers that the gateway forwards, in lower case. If undefined, it
   * forwards every header that it does not remove.
   */
  readonly allowedHeaders: readonly string[] | undefined;
  /** Further headers of the caller that the gateway removes, besides those it always removes. */
  readonly deniedHeaders: readonly string[];
  /**
   * Headers set by proxies in front of the gateway that it forwards instead of removing them, in
   * lower case.
   * @default none
   */
  readonly passedHeaders?: readonly string[];
  /**
   * Maximum size of a response that the gateway reads to compute its actual cost. It forwards a
   * larger response unread and charges for its bytes.
   */
  readonly maxReadBytes: number;
  /**
   * Price in tokens per KiB of a response that is not read.
   * @default the average cost per KiB of the responses that were read
   */
  readonly tokensPerKib?: number | undefined;
  /**
   * Maximum total size of the responses in memory that the gateway reads or has not yet sent. Above
   * it, the gateway forwards further responses unread.
   */
  readonly maxHeldBytes: number;
}
