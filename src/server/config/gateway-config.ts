import { z } from 'zod';
import type { GatewaySettings } from '../../gateway/gateway-settings.js';
import { isNeverForwarded } from '../../gateway/headers-for-upstream.js';
import { hideSecrets } from '../../observability/hide-secrets.js';
import { readCommandLine } from './command-line.js';
import { type Config, ConfigError, type ProgramDefaults, readConfig } from './config.js';
import { GATEWAY_SETTINGS } from './gateway-flags.js';
import { flagsOf, SETTING_FLAGS, type Setting } from './setting-flags.js';
import { flag, headerNames, shownValue, wholeNumber } from './settings.js';

interface GatewayConfig {
  config: Config;
  /** Without `upstream`: the sample API is the upstream. */
  gateway: Omit<GatewaySettings, 'upstream'> & { readonly upstream: string | undefined };
}

const schema = z.object({
  TOLLGATE_UPSTREAM: z
    .string()
    .refine(isUpstream, 'expected a URL that begins with https:// or http://, without user, password and #fragment')
    .optional(),
  TOLLGATE_SCHEMA: z.string().min(1).optional(),
  TOLLGATE_COSTS: z.string().min(1).optional(),
  TOLLGATE_SCHEMA_POLL_MS: wholeNumber(0, 86_400_000).default(60_000),
  TOLLGATE_OBSERVE: flag.default(false),
  TOLLGATE_UPSTREAM_AUTHORIZATION: z
    .string()
    .regex(/^[\x20-\x7e]+$/, 'expected what may stand in a header')
    .optional(),
  TOLLGATE_UPSTREAM_TIMEOUT_MS: wholeNumber(1, 3_600_000).default(30_000),
  TOLLGATE_MAX_UPSTREAM_REQUESTS: wholeNumber(1, 100_000).default(256),
  TOLLGATE_ALLOW_HEADERS: headerNames.optional(),
  TOLLGATE_DENY_HEADERS: headerNames.default([]),
  TOLLGATE_PASS_HEADERS: headerNames
    .refine(
      (names) => !names.some(isNeverForwarded),
      'expected no header that the gateway writes itself or keeps from the API',
    )
    .default([]),
  TOLLGATE_MAX_READ_BYTES: wholeNumber(1, 1_073_741_824).default(2 ** 20),
  TOLLGATE_TOKENS_PER_KIB: wholeNumber(0, 1_000_000).optional(),
  TOLLGATE_MAX_HELD_BYTES: wholeNumber(1, 1_073_741_824).default(8 * 2 ** 20),
});
/** An API of your own is behind the gateway, and only the log says which prices and which schema are in force. */
const DEFAULTS: ProgramDefaults = { sample: 'ON_REQUEST', logLevel: 'info' };

/** Reads the environment and the flags of `tollgate gateway`. Throws a `ConfigError` that lists every mistake. */
export function loadGatewayConfig({
  env = process.env,
  args = [],
}: {
  env?: NodeJS.ProcessEnv;
  args?: readonly string[];
} = {}): GatewayConfig {
  const problems: string[] = [];
  const known = { ...SETTING_FLAGS, ...flagsOf(GATEWAY_SETTINGS) };
  const { values, operands, problems: unreadable } = readCommandLine({ flags: known }, args);
  problems.push(
    ...unreadable,
    ...operands.map((one) => `"${hideSecrets(one)}": expected a flag, such as --upstream URL`),
  );
  const given = new Map(Object.entries(values).map(([name, value]) => [name, String(value)]));
  const input: Record<string, string> = {};
  const shownAs: Record<string, string> = {};
  for (const [variable, { flag: name }] of Object.entries<Setting>(GATEWAY_SETTINGS)) {
    const typed = name === undefined ? undefined : given.get(name);
    if (name !== undefined) given.delete(name);
    const value = typed ?? env[variable];
    if (value === undefined || value === '') continue;
    input[variable] = value;
    shownAs[variable] = typed === undefined ? variable : `--${name}`;
  }
  const read = schema.safeParse(input);
  for (const { path, message } of read.success ? [] : read.error.issues) {
    const variable = String(path[0]);
    const shown = shownAs[variable] ?? variable;
    problems.push(`${shown}: ${message}, got ${shownValue(shown, input[variable])}`);
  }
  let config: Config | undefined;
  try {
    config = readConfig({ env, args: [...given].map(([name, value]) => `--${name}=${value}`) }, DEFAULTS);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
  }
  const demo = (given.get('demo') ?? env['TOLLGATE_DEMO'] ?? '').toLowerCase();
  const wantsDemo = demo === 'true' || demo === '1';
  if (input['TOLLGATE_UPSTREAM'] === undefined && !wantsDemo) {
    problems.push(
      '--upstream: expected the URL of a GraphQL endpoint, or --demo to try it with the sample API. Got nothing',
    );
  }
  if (input['TOLLGATE_UPSTREAM'] !== undefined && wantsDemo) {
    problems.push('--demo: expected without --upstream: the sample API is the upstream then');
  }
  if (!read.success || config === undefined || problems.length > 0) throw new ConfigError(problems);
  const settings = read.data;
  return {
    config,
    gateway: {
      upstream: settings.TOLLGATE_UPSTREAM,
      schemaFile: settings.TOLLGATE_SCHEMA,
      costsFile: settings.TOLLGATE_COSTS,
      schemaPollMs: settings.TOLLGATE_SCHEMA_POLL_MS,
      observe: settings.TOLLGATE_OBSERVE,
      ownAuthorization: settings.TOLLGATE_UPSTREAM_AUTHORIZATION,
      upstreamTimeoutMs: settings.TOLLGATE_UPSTREAM_TIMEOUT_MS,
      maxUpstreamRequests: settings.TOLLGATE_MAX_UPSTREAM_REQUESTS,
      allowedHeaders: settings.TOLLGATE_ALLOW_HEADERS,
      deniedHeaders: settings.TOLLGATE_DENY_HEADERS,
      passedHeaders: settings.TOLLGATE_PASS_HEADERS,
      maxReadBytes: settings.TOLLGATE_MAX_READ_BYTES,
      tokensPerKib: settings.TOLLGATE_TOKENS_PER_KIB,
      maxHeldBytes: settings.TOLLGATE_MAX_HELD_BYTES,
    },
  };
}

function isUpstream(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '' && hash === '';
}
