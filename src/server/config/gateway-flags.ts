import type { Setting } from './setting-flags.js';

/** What `tollgate gateway` takes besides the settings of `tollgate start`. */
export const GATEWAY_SETTINGS = {
  TOLLGATE_UPSTREAM: {
    flag: 'upstream',
    value: 'URL',
    says: 'the GraphQL endpoint to pass requests on to; it has to be given, but with --demo',
  },
  TOLLGATE_SCHEMA: {
    flag: 'schema',
    value: 'FILE',
    says: 'its schema: SDL, or the JSON of an introspection query (default: it is asked)',
  },
  TOLLGATE_COSTS: {
    flag: 'costs',
    value: 'FILE',
    says: 'prices by schema coordinate, YAML or JSON: they win over those of the schema, and are read again as often',
  },
  TOLLGATE_SCHEMA_POLL_MS: {
    flag: 'schema-poll-ms',
    value: 'N',
    says: 'how often the schema is read again, so that a new one is priced by; 0: on SIGHUP alone (default 60000)',
  },
  TOLLGATE_OBSERVE: {
    flag: 'observe',
    says: 'deny nobody: every limit is a shadow, and the log tells the price of each operation',
  },
  TOLLGATE_UPSTREAM_AUTHORIZATION: {
    says: 'what the gateway sends as Authorization when it asks for the schema; never mixed with what callers send. No flag, as the list of processes would show it',
  },
  TOLLGATE_UPSTREAM_TIMEOUT_MS: {
    flag: 'upstream-timeout-ms',
    value: 'N',
    says: 'an answer of the upstream that is not there by then is given up (default 30000)',
  },
  TOLLGATE_MAX_UPSTREAM_REQUESTS: {
    flag: 'max-upstream-requests',
    value: 'N',
    says: 'requests that are with the upstream at once; more are answered 503 (default 256)',
  },
  TOLLGATE_ALLOW_HEADERS: {
    flag: 'allow-headers',
    value: 'LIST',
    says: 'headers of callers that reach the upstream (default: all but those that are never theirs to say)',
  },
  TOLLGATE_DENY_HEADERS: {
    flag: 'deny-headers',
    value: 'LIST',
    says: 'headers of callers that do not reach the upstream, besides those that never do',
  },
  TOLLGATE_PASS_HEADERS: {
    flag: 'pass-headers',
    value: 'LIST',
    says: 'headers of proxies in front that reach the upstream, though by default no such header does',
  },
  TOLLGATE_MAX_READ_BYTES: {
    flag: 'max-read-bytes',
    value: 'N',
    says: 'a larger answer is passed on without being read, and is charged by its bytes (default 1048576)',
  },
  TOLLGATE_TOKENS_PER_KIB: {
    flag: 'tokens-per-kib',
    value: 'N',
    says: 'tokens for each KiB of an answer that is not read, where that is more than its estimate (default: what answers that were read have cost)',
  },
  TOLLGATE_MAX_HELD_BYTES: {
    flag: 'max-held-bytes',
    value: 'N',
    says: 'of all answers that are held at once, to be read or for slow readers; beyond, they pass unread (default 8388608)',
  },
} as const satisfies Readonly<Record<string, Setting>>;
