import { z } from 'zod';
import { isNeverForwarded } from '../../gateway/headers-for-upstream.js';
import type { SettingDeclaration } from './setting-declaration.js';
import { flag, headerNames, wholeNumber } from './settings.js';

/** Settings of `tollgate gateway`, in addition to those of `tollgate start`. */
export const GATEWAY_SETTINGS = {
  TOLLGATE_UPSTREAM: {
    reads: z
      .string()
      .refine(isUpstream, 'expected a URL that begins with https:// or http://, without user, password and #fragment')
      .optional(),
    flag: 'upstream',
    value: 'URL',
    says: 'the GraphQL endpoint to pass requests on to; it has to be given, but with --demo',
  },
  TOLLGATE_SCHEMA: {
    reads: z.string().min(1).optional(),
    flag: 'schema',
    value: 'FILE',
    says: 'its schema: SDL, or the JSON of an introspection query (default: it is asked)',
  },
  TOLLGATE_COSTS: {
    reads: z.string().min(1).optional(),
    flag: 'costs',
    value: 'FILE',
    says: 'prices by schema coordinate, YAML or JSON: they win over those of the schema, and are read again as often',
  },
  TOLLGATE_SCHEMA_POLL_MS: {
    reads: wholeNumber(0, 86_400_000).default(60_000),
    flag: 'schema-poll-ms',
    value: 'N',
    says: 'how often the schema is read again, so that a new one is priced by; 0: on SIGHUP alone',
  },
  TOLLGATE_OBSERVE: {
    reads: flag.default(false),
    flag: 'observe',
    says: 'deny nobody: every limit is a shadow, and the log tells the price of each operation',
  },
  TOLLGATE_UPSTREAM_AUTHORIZATION: {
    reads: z
      .string()
      .regex(/^[\x20-\x7e]+$/, 'expected what may stand in a header')
      .optional(),
    says: 'what the gateway sends as Authorization when it asks for the schema; never mixed with what callers send. No flag, as the list of processes would show it',
  },
  TOLLGATE_UPSTREAM_TIMEOUT_MS: {
    reads: wholeNumber(1, 3_600_000).default(30_000),
    flag: 'upstream-timeout-ms',
    value: 'N',
    says: 'an answer of the upstream that is not there by then is given up',
  },
  TOLLGATE_MAX_UPSTREAM_REQUESTS: {
    reads: wholeNumber(1, 100_000).default(256),
    flag: 'max-upstream-requests',
    value: 'N',
    says: 'requests that are with the upstream at once; more are answered 503',
  },
  TOLLGATE_ALLOW_HEADERS: {
    reads: headerNames.optional(),
    flag: 'allow-headers',
    value: 'LIST',
    says: 'headers of callers that reach the upstream (default: all but those that are never theirs to say)',
  },
  TOLLGATE_DENY_HEADERS: {
    reads: headerNames.default([]),
    flag: 'deny-headers',
    value: 'LIST',
    says: 'headers of callers that do not reach the upstream, besides those that never do',
  },
  TOLLGATE_PASS_HEADERS: {
    reads: headerNames
      .refine(
        (names) => !names.some(isNeverForwarded),
        'expected no header that the gateway writes itself or keeps from the API',
      )
      .default([]),
    flag: 'pass-headers',
    value: 'LIST',
    says: 'headers of proxies in front that reach the upstream, though by default no such header does',
  },
  TOLLGATE_MAX_READ_BYTES: {
    reads: wholeNumber(1, 1_073_741_824).default(2 ** 20),
    flag: 'max-read-bytes',
    value: 'N',
    says: 'a larger answer is passed on without being read, and is charged by its bytes',
  },
  TOLLGATE_TOKENS_PER_KIB: {
    reads: wholeNumber(0, 1_000_000).optional(),
    flag: 'tokens-per-kib',
    value: 'N',
    says: 'tokens for each KiB of an answer that is not read, where that is more than its estimate (default: what answers that were read have cost)',
  },
  TOLLGATE_MAX_HELD_BYTES: {
    reads: wholeNumber(1, 1_073_741_824).default(8 * 2 ** 20),
    flag: 'max-held-bytes',
    value: 'N',
    says: 'of all answers that are held at once, to be read or for slow readers; beyond, they pass unread',
  },
} as const satisfies Readonly<Record<string, SettingDeclaration>>;

function isUpstream(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '' && hash === '';
}
