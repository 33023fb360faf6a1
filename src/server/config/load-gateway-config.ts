import type { GatewaySettings } from '../../gateway/gateway-settings.js';
import { hideSecrets } from '../../observability/hide-secrets.js';
import { type Config, ConfigError, type ProgramDefaults, readConfig } from './config.js';
import { DECIDE_SETTINGS, GATEWAY_FLAGS, GATEWAY_SETTINGS, UNUSED_BY_DECIDE } from './gateway-flags.js';
import { type Flags, readCommandLine } from './read-command-line.js';
import { flagsOf, type SettingDeclaration, schemaOf } from './setting-declaration.js';
import { SETTING_FLAGS } from './setting-flags.js';
import { shownValue } from './settings.js';

interface GatewayConfig {
  config: Config;
  /** Settings of the gateway. Without `upstream` the sample API is the upstream. */
  gateway: Omit<GatewaySettings, 'upstream'> & { readonly upstream: string | undefined };
  /**
   * Path of the file of prices to write. If set, the gateway writes the file and does not start.
   */
  writeCosts: string | undefined;
}

const schema = schemaOf(GATEWAY_SETTINGS);
/**
 * Defaults of the gateway. It serves the sample API only on request. The log level is `info`,
 * because only the log shows the prices and the schema in force.
 */
const DEFAULTS: ProgramDefaults = { sample: 'ON_REQUEST', logLevel: 'info' };

interface GatewaySources {
  env?: NodeJS.ProcessEnv;
  args?: readonly string[];
}

/**
 * Reads the environment and the flags of `tollgate gateway`. Throws a `ConfigError` that lists
 * every mistake.
 */
export function loadGatewayConfig(sources: GatewaySources = {}): GatewayConfig {
  return readGateway(sources, { settings: GATEWAY_SETTINGS, flags: GATEWAY_FLAGS, unused: {}, isServing: true });
}

/**
 * Reads the environment and the flags of `tollgate decide`, which has some settings of the gateway.
 * The other settings have their defaults. Throws a `ConfigError` that lists every mistake.
 */
export function loadDecideConfig({ env = process.env, args = [] }: GatewaySources = {}): GatewayConfig {
  const sources = { env: { ...env, TOLLGATE_DECISIONS: 'true' }, args };
  return readGateway(sources, {
    settings: DECIDE_SETTINGS,
    flags: {},
    unused: UNUSED_BY_DECIDE,
    isServing: false,
  });
}

interface GatewayProgram {
  readonly settings: Readonly<Record<string, SettingDeclaration>>;
  readonly flags: Flags;
  /** Flags of `tollgate start` that it rejects, with the reasons. */
  readonly unused: Readonly<Record<string, string>>;
  /** Whether the program forwards operations to the upstream. */
  readonly isServing: boolean;
}

function readGateway({ env = process.env, args = [] }: GatewaySources, program: GatewayProgram): GatewayConfig {
  const problems: string[] = [];
  const known = { ...SETTING_FLAGS, ...flagsOf(program.settings), ...program.flags };
  const { values, operands, problems: unreadable } = readCommandLine({ flags: known }, args);
  problems.push(
    ...unreadable,
    ...operands.map((one) => `"${hideSecrets(one)}": expected a flag, such as --upstream URL`),
  );
  const given = new Map(Object.entries(values).map(([name, value]) => [name, String(value)]));
  for (const [name, reason] of Object.entries(program.unused)) {
    if (given.delete(name)) problems.push(`--${name}: expected without this flag, because ${reason}`);
  }
  const writeCosts = given.get('write-costs');
  given.delete('write-costs');
  const input: Record<string, string> = {};
  const shownAs: Record<string, string> = {};
  for (const [variable, { flag: name }] of Object.entries<SettingDeclaration>(program.settings)) {
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
  const hasSource =
    input['TOLLGATE_UPSTREAM'] !== undefined || (!program.isServing && input['TOLLGATE_SCHEMA'] !== undefined);
  if (!hasSource && !wantsDemo) problems.push(program.isServing ? NO_UPSTREAM : NO_SCHEMA);
  if (hasSource && wantsDemo) {
    problems.push(
      program.isServing
        ? '--demo: expected without --upstream, because with --demo the sample API is the upstream'
        : '--demo: expected without --schema and --upstream, because with --demo the sample API is priced',
    );
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
      upstreamSocket: settings.TOLLGATE_UPSTREAM_SOCKET,
      maxSocketOperations: settings.TOLLGATE_MAX_SOCKET_OPERATIONS,
      maxUpstreamSubscriptions: settings.TOLLGATE_MAX_UPSTREAM_SUBSCRIPTIONS,
      socketCredentials: settings.TOLLGATE_SOCKET_CREDENTIALS,
      heartbeatMs: settings.TOLLGATE_HEARTBEAT_MS,
      allowedHeaders: settings.TOLLGATE_ALLOW_HEADERS,
      deniedHeaders: settings.TOLLGATE_DENY_HEADERS,
      passedHeaders: settings.TOLLGATE_PASS_HEADERS,
      maxReadBytes: settings.TOLLGATE_MAX_READ_BYTES,
      tokensPerKib: settings.TOLLGATE_TOKENS_PER_KIB,
      maxHeldBytes: settings.TOLLGATE_MAX_HELD_BYTES,
    },
    writeCosts,
  };
}

const NO_UPSTREAM =
  '--upstream: expected the URL of a GraphQL endpoint, or --demo to try it with the sample API; got nothing';
const NO_SCHEMA =
  '--schema: expected the file of a schema, --upstream with the URL of a GraphQL endpoint, or --demo to try it with the sample API; got nothing';
