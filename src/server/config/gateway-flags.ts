import { z } from 'zod';
import type { SocketCredential } from '../../gateway/gateway-settings.js';
import { isNeverForwarded } from '../../gateway/headers-for-upstream.js';
import type { Flags } from './read-command-line.js';
import type { SettingDeclaration } from './setting-declaration.js';
import { flag, headerNames, listOf, wholeNumber } from './settings.js';

/** Flags of `tollgate gateway` that are not settings. Each runs a task instead of the gateway. */
export const GATEWAY_FLAGS = {
  'write-costs': {
    value: 'FILE',
    description:
      'start no gateway; only write the advised entries for guessed prices, as comments, to a new or existing file of prices in YAML; existing lines stay unchanged',
  },
} as const satisfies Flags;

const CREDENTIAL = /^[\w-]+(\.[\w-]+)?(=(authorization|x-api-key))?$/i;
/** Members of `connectionParams`: `NAME` or `NAME=HEADER`, inside `headers` also `headers.NAME`. */
const socketCredentials = z
  .string()
  .transform((text) =>
    listOf(text).map((entry): SocketCredential | undefined => {
      const [name = '', given] = entry.split('=');
      const path = name.split('.');
      const header = (given ?? path.at(-1))?.toLowerCase();
      const isKnown = header === 'authorization' || header === 'x-api-key';
      return CREDENTIAL.test(entry) && isKnown ? { path, header } : undefined;
    }),
  )
  .refine(
    (found): found is SocketCredential[] => found.length > 0 && !found.includes(undefined),
    'expected names such as authorization, headers.x-api-key or token=authorization, with commas between them',
  );

/** Settings of `tollgate gateway`, in addition to those of `tollgate start`. */
export const GATEWAY_SETTINGS = {
  TOLLGATE_UPSTREAM: {
    reads: z
      .string()
      .refine(isUpstream, 'expected a URL that begins with https:// or http://, without user, password and #fragment')
      .optional(),
    flag: 'upstream',
    value: 'URL',
    description: 'the GraphQL endpoint that receives the requests; required without --demo',
  },
  TOLLGATE_SCHEMA: {
    reads: z.string().min(1).optional(),
    flag: 'schema',
    value: 'FILE',
    description: 'schema of the upstream, as SDL or as the JSON of an introspection query (default: by introspection)',
  },
  TOLLGATE_COSTS: {
    reads: z.string().min(1).optional(),
    flag: 'costs',
    value: 'FILE',
    description:
      'prices by schema coordinate, YAML or JSON; they override the prices in the schema, and are read again with the schema',
  },
  TOLLGATE_SCHEMA_POLL_MS: {
    reads: wholeNumber(0, 86_400_000).default(60_000),
    flag: 'schema-poll-ms',
    value: 'N',
    description:
      'interval at which the schema and its prices are read again; 0: only on SIGHUP or the mutation schemaRefresh',
  },
  TOLLGATE_OBSERVE: {
    reads: flag.default(false),
    flag: 'observe',
    description: 'deny no operation: all limits are in shadow mode, and the log has the price of each operation',
  },
  TOLLGATE_UPSTREAM_AUTHORIZATION: {
    reads: z
      .string()
      .regex(/^[\x20-\x7e]+$/, 'expected characters that a header may contain')
      .optional(),
    description:
      'Authorization header with which the gateway reads the schema; it is never added to requests of callers. No flag, because the list of processes would show the value',
  },
  TOLLGATE_UPSTREAM_TIMEOUT_MS: {
    reads: wholeNumber(1, 3_600_000).default(30_000),
    flag: 'upstream-timeout-ms',
    value: 'N',
    description:
      'maximum time to wait for the start of a response, and then for progress in it; maximum time for a complete response that the gateway reads',
  },
  TOLLGATE_MAX_UPSTREAM_REQUESTS: {
    reads: wholeNumber(1, 100_000).default(256),
    flag: 'max-upstream-requests',
    value: 'N',
    description: 'maximum number of requests in flight to the upstream; further requests receive a 503',
  },
  TOLLGATE_MAX_UPSTREAM_SUBSCRIPTIONS: {
    reads: wholeNumber(0, 100_000).default(1000),
    flag: 'max-upstream-subscriptions',
    value: 'N',
    description:
      'maximum number of open subscriptions, each with a connection to the upstream; further ones receive a 503',
  },
  TOLLGATE_UPSTREAM_SOCKET: {
    reads: z
      .string()
      .refine(isUpstreamSocket, 'expected a URL that begins with wss:// or ws://, without user, password and #fragment')
      .optional(),
    flag: 'upstream-socket',
    value: 'URL',
    description: 'the endpoint of the upstream for WebSockets (default: --upstream, with wss: or ws:)',
  },
  TOLLGATE_MAX_SOCKET_OPERATIONS: {
    reads: wholeNumber(1, 10_000).default(100),
    flag: 'max-socket-operations',
    value: 'N',
    description: 'maximum number of operations of one WebSocket that run at the same time; further ones get an error',
  },
  TOLLGATE_SOCKET_CREDENTIALS: {
    reads: socketCredentials.default([]),
    flag: 'socket-credentials',
    value: 'LIST',
    description:
      'members of connectionParams that identify the caller of a WebSocket, such as authorization, headers.x-api-key, or token=authorization for a member with another name (default: the headers of the handshake identify the caller)',
  },
  TOLLGATE_HEARTBEAT_MS: {
    reads: wholeNumber(100, 3_600_000).default(12_000),
    flag: 'heartbeat-ms',
    value: 'N',
    description:
      'time without an event after which a subscription sends a heartbeat, so that proxies keep its connection open; interval of the pings of WebSockets',
  },
  TOLLGATE_ALLOW_HEADERS: {
    reads: headerNames.optional(),
    flag: 'allow-headers',
    value: 'LIST',
    description: 'request headers to forward to the upstream (default: all except those that callers may never set)',
  },
  TOLLGATE_DENY_HEADERS: {
    reads: headerNames.default([]),
    flag: 'deny-headers',
    value: 'LIST',
    description: 'request headers not to forward to the upstream, in addition to those that are never forwarded',
  },
  TOLLGATE_PASS_HEADERS: {
    reads: headerNames
      .refine(
        (names) => !names.some(isNeverForwarded),
        'expected no header that the gateway writes itself or withholds from the API',
      )
      .default([]),
    flag: 'pass-headers',
    value: 'LIST',
    description: 'headers set by proxies in front of the gateway, to be forwarded to the upstream (default: none)',
  },
  TOLLGATE_MAX_READ_BYTES: {
    reads: wholeNumber(1, 1_073_741_824).default(2 ** 20),
    flag: 'max-read-bytes',
    value: 'N',
    description:
      'maximum size of a response that is read; a larger response is forwarded unread, and its bytes are charged',
  },
  TOLLGATE_TOKENS_PER_KIB: {
    reads: wholeNumber(0, 1_000_000).optional(),
    flag: 'tokens-per-kib',
    value: 'N',
    description:
      'tokens charged for each KiB of an unread response, if their sum exceeds its estimated cost (default: the average cost of responses that were read)',
  },
  TOLLGATE_MAX_HELD_BYTES: {
    reads: wholeNumber(1, 1_073_741_824).default(8 * 2 ** 20),
    flag: 'max-held-bytes',
    value: 'N',
    description:
      'maximum size of all responses in memory, while they are read or sent; beyond it, responses are forwarded unread',
  },
} as const satisfies Readonly<Record<string, SettingDeclaration>>;

const { TOLLGATE_UPSTREAM, TOLLGATE_SCHEMA, TOLLGATE_COSTS, TOLLGATE_SCHEMA_POLL_MS } = GATEWAY_SETTINGS;
const { TOLLGATE_OBSERVE, TOLLGATE_UPSTREAM_AUTHORIZATION } = GATEWAY_SETTINGS;

const SERVES_NO_API = '`tollgate decide` serves no API';

/** Flags of `tollgate start` without an effect on `tollgate decide`, and the reasons. */
export const UNUSED_BY_DECIDE: Readonly<Record<string, string>> = {
  decisions: '`tollgate decide` always serves decisions',
  traffic: SERVES_NO_API,
  'max-batch-size': SERVES_NO_API,
  'cors-origins': SERVES_NO_API,
};

/** Settings of `tollgate decide`, in addition to those of `tollgate start`. */
export const DECIDE_SETTINGS = {
  TOLLGATE_SCHEMA: {
    ...TOLLGATE_SCHEMA,
    description:
      'schema of the API, as SDL (of a supergraph too) or as the JSON of an introspection query; required without --upstream or --demo',
  },
  TOLLGATE_UPSTREAM: {
    ...TOLLGATE_UPSTREAM,
    description: 'a GraphQL endpoint whose schema is read by introspection; it receives no other requests',
  },
  TOLLGATE_COSTS,
  TOLLGATE_SCHEMA_POLL_MS,
  TOLLGATE_OBSERVE: { ...TOLLGATE_OBSERVE, description: 'deny no operation: all limits are in shadow mode' },
  TOLLGATE_UPSTREAM_AUTHORIZATION: {
    ...TOLLGATE_UPSTREAM_AUTHORIZATION,
    description:
      'Authorization header with which the schema of --upstream is read. No flag, because the list of processes would show the value',
  },
} as const satisfies Readonly<Record<string, SettingDeclaration>>;

function isUpstream(text: string): boolean {
  return isUrlOf(text, ['http:', 'https:']);
}

function isUpstreamSocket(text: string): boolean {
  return isUrlOf(text, ['ws:', 'wss:']);
}

function isUrlOf(text: string, protocols: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return protocols.includes(protocol) && username === '' && password === '' && hash === '';
}
