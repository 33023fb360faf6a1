import { editsBetween, nearestName } from '../../options/nearest-name.js';
import { GATEWAY_SETTINGS } from './gateway-flags.js';
import { SETTINGS } from './setting-flags.js';

const PREFIX = 'TOLLGATE_';
const URL_OF_POOL = /^REDIS_URL_\w+$/;

/** What people call settings that have another name, without the prefix. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  POSTGRES_URL: 'DATABASE_URL',
  POSTGRESQL_URL: 'DATABASE_URL',
  PG_URL: 'DATABASE_URL',
  DB_URL: 'DATABASE_URL',
  REDIS: 'REDIS_URL',
  REDIS_URI: 'REDIS_URL',
  DATABASE: 'DATABASE_URL',
  POSTGRES: 'DATABASE_URL',
  TOKEN: 'TOLLGATE_ADMIN_TOKEN',
  METRICS: 'TOLLGATE_METRICS_PORT',
};

/** Kubernetes gives each container the addresses of services: one that is called tollgate, or tollgate-redis, is none of ours. */
const OF_SERVICES = /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const ADDRESS_OF_SERVICE = /^(?:tcp|udp|sctp):\/\//;

interface UnknownVariables {
  /** Each as good as certainly meant for a setting: without that the platform would run otherwise than it was told to. */
  mistakes: string[];
  /** Names that are nothing like a setting: of another version, or of another program. */
  others: string[];
}

/** The variables that begin as ours do and set nothing; their values, which may be secrets, are not part of it. */
export function findUnknownVariables(env: NodeJS.ProcessEnv): UnknownVariables {
  const found: UnknownVariables = { mistakes: [], others: [] };
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.toUpperCase().startsWith(PREFIX) || isKnown(variable) || !value) continue;
    if (OF_SERVICES.test(variable) || ADDRESS_OF_SERVICE.test(value)) continue;
    const meant = meantBy(variable.slice(PREFIX.length).toUpperCase());
    if (meant === undefined) found.others.push(variable);
    else found.mistakes.push(`${variable}: there is no such setting; did you mean ${meant}?`);
  }
  return found;
}

/** Those of the gateway may stand in an environment that others share. */
function isKnown(variable: string): boolean {
  return Object.hasOwn(SETTINGS, variable) || Object.hasOwn(GATEWAY_SETTINGS, variable);
}

/** In which variables a setting was given that is read from another one: in words, or nothing. */
export function misplaced(setting: string, env: NodeJS.ProcessEnv): string {
  const found = findUnknownVariables(env).mistakes.filter((mistake) => mistake.endsWith(` ${setting}?`));
  return found.length === 0 ? '' : ` (${found.join(', ')})`;
}

/** Undefined: nothing is so near that it can be said. */
function meantBy(name: string): string | undefined {
  const other = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  if (other !== undefined) return other;
  if (URL_OF_POOL.test(name)) return name;
  const settings = new Map(Object.keys(SETTINGS).map((setting) => [setting.replace(PREFIX, ''), setting]));
  const nearest = nearestName(name, settings.keys());
  if (nearest === undefined) return undefined;
  // Short names are near to many others.
  const mostEdits = Math.min(2, Math.floor(name.length / 4));
  return editsBetween(name, nearest) <= mostEdits ? settings.get(nearest) : undefined;
}
