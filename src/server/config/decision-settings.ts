import { z } from 'zod';
import type { SettingDeclaration, schemaOf } from './setting-declaration.js';
import { flag, wholeNumber } from './settings.js';

/** Settings of the decision service. */
export interface DecisionSettings {
  /** Additional port with HTTP/1.1 and HTTP/2. */
  readonly port: number | undefined;
  /** Path of a unix socket with HTTP/1.1 and HTTP/2. */
  readonly socket: string | undefined;
  /** Maximum number of decisions and settlements per second of one token. */
  readonly maxPerSecond: number;
  /** Claims that identify the user and the tenant in tokens that Apollo Router has verified. */
  readonly userClaim: string;
  readonly tenantClaim: string | undefined;
  /** Header with the cost of an operation, for limiters at the edge. */
  readonly scoreHeader: string | undefined;
}

/** Settings of the decision service, by variable. */
export const DECISION_SETTINGS = {
  TOLLGATE_DECISIONS: {
    reads: flag.default(false),
    flag: 'decisions',
    description: 'serve decisions for routers, proxies and servers in any language',
    docs: 'Whether the platform serves [decisions](decisions.md) for routers, proxies and servers in any language, below `/v1` and `/integrations`. `tollgate decide` always serves them.',
  },
  TOLLGATE_DECISIONS_PORT: {
    reads: wholeNumber(1, 65_535).optional(),
    flag: 'decisions-port',
    value: 'N',
    description: 'an additional port for decisions, with HTTP/1.1 and HTTP/2 (h2c)',
    docs: 'An additional port for decisions, with HTTP/1.1 and HTTP/2 without TLS (h2c). The port of the API serves decisions with HTTP/1.1.',
  },
  TOLLGATE_DECISIONS_SOCKET: {
    reads: z.string().min(1).optional(),
    flag: 'decisions-socket',
    value: 'PATH',
    description: 'a unix socket for decisions, with HTTP/1.1 and HTTP/2 (h2c)',
    docs: 'The path of a unix socket for decisions, with HTTP/1.1 and HTTP/2 without TLS (h2c). Processes of the same user or group can connect to it.',
  },
  TOLLGATE_DECIDER_MAX_PER_SECOND: {
    reads: wholeNumber(1, 10_000_000).default(20_000),
    flag: 'decider-max-per-second',
    value: 'N',
    description: 'maximum number of decisions and settlements per second of one token',
    docs: 'The maximum number of decisions and settlements per second of one token, in one process. Each item of a batch counts.',
  },
  TOLLGATE_ROUTER_USER_CLAIM: {
    reads: z.string().min(1).default('sub'),
    flag: 'router-user-claim',
    value: 'NAME',
    description: 'claim with the user, in tokens that Apollo Router has verified',
    docs: 'The claim with the name of the user, in tokens that [Apollo Router](apollo-router.md) has verified.',
  },
  TOLLGATE_ROUTER_TENANT_CLAIM: {
    reads: z.string().min(1).optional(),
    flag: 'router-tenant-claim',
    value: 'NAME',
    description: 'claim with the tenant, in tokens that Apollo Router has verified',
    docs: 'The claim with the name of the tenant, in tokens that [Apollo Router](apollo-router.md) has verified.',
  },
  TOLLGATE_SCORE_HEADER: {
    reads: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'expected the name of a header')
      .optional(),
    flag: 'score-header',
    value: 'NAME',
    description: 'header with the cost of an operation, for limiters at the edge, such as X-GraphQL-Score',
    docs: 'The name of a header with the cost of an operation in the headers of decisions and settlements, such as `X-GraphQL-Score`. Limiters at the edge can count it as a score: see [decisions.md](decisions.md#a-score-for-limiters-at-the-edge).',
  },
} as const satisfies Readonly<Record<string, SettingDeclaration>>;

type DecisionValues = z.output<ReturnType<typeof schemaOf<typeof DECISION_SETTINGS>>>;

/** Returns the settings of the decision service; undefined if the platform does not serve decisions. */
export function decisionsOf(values: DecisionValues): DecisionSettings | undefined {
  if (!values.TOLLGATE_DECISIONS) return undefined;
  return Object.freeze({
    port: values.TOLLGATE_DECISIONS_PORT,
    socket: values.TOLLGATE_DECISIONS_SOCKET,
    maxPerSecond: values.TOLLGATE_DECIDER_MAX_PER_SECOND,
    userClaim: values.TOLLGATE_ROUTER_USER_CLAIM,
    tenantClaim: values.TOLLGATE_ROUTER_TENANT_CLAIM,
    scoreHeader: values.TOLLGATE_SCORE_HEADER,
  });
}
