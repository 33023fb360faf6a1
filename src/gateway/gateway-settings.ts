/** Settings of a gateway for its upstream. */
export interface GatewaySettings {
  /** URL of the API: http or https, with its path. */
  readonly upstream: string;
  /**
   * Path of the schema: SDL, or the JSON of an introspection query.
   * @default the upstream is asked
   */
  readonly schemaFile: string | undefined;
  /**
   * Path of the prices by schema coordinate, in YAML or JSON.
   * @default those set in the schema, and inferred ones
   */
  readonly costsFile?: string | undefined;
  /** Interval in milliseconds at which the schema is read again; 0 reads it only on request. */
  readonly schemaPollMs: number;
  /** Whether all limits are in shadow mode and prices are logged. */
  readonly observe: boolean;
  /** Value of `Authorization` in the gateway's own requests. */
  readonly ownAuthorization: string | undefined;
  /**
   * Timeout of the upstream in milliseconds, for the beginning of its answer and for progress in
   * it.
   */
  readonly upstreamTimeoutMs: number;
  /**
   * Maximum number of concurrent requests to the upstream; further requests are answered with 503.
   */
  readonly maxUpstreamRequests: number;
  /**
   * Headers of callers that reach the upstream, in lower case; undefined for all that are not
   * removed.
   */
  readonly allowedHeaders: readonly string[] | undefined;
  /** Headers of callers that are removed, in addition to those that are always removed. */
  readonly deniedHeaders: readonly string[];
  /**
   * Headers of proxies in front of the gateway that reach the upstream nevertheless, in lower case.
   * @default none
   */
  readonly passedHeaders?: readonly string[];
  /**
   * Maximum size of an answer that is read to count its cost. A larger one passes, and is charged
   * by its bytes.
   */
  readonly maxReadBytes: number;
  /**
   * Price in tokens per KiB of an answer that is not read.
   * @default what answers that were read have cost
   */
  readonly tokensPerKib?: number | undefined;
  /**
   * Maximum size of all answers held at once, to be read or until they are written. Above it,
   * answers pass unread.
   */
  readonly maxHeldBytes: number;
}
