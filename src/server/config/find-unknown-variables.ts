import { editsBetween, nearestName } from '../../options/nearest-name.js';
import { GATEWAY_SETTINGS } from './gateway-flags.js';
import { SETTINGS } from './setting-flags.js';

const PREFIX = 'TOLLGATE_';
const URL_OF_POOL = /^REDIS_URL_\w+$/;

/** Common wrong names of settings, without the prefix. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  POSTGRES_URL: 'DATABASE_URL',
  POSTGRESQL_URL: 'DATABASE_URL',
  PG_URL: 'DATABASE_URL',
  DB_URL: 'DATABASE_URL',
  DATABASE_REPLICA_URL: 'DATABASE_READ_URL',
  READ_DATABASE_URL: 'DATABASE_READ_URL',
  REDIS: 'REDIS_URL',
  REDIS_URI: 'REDIS_URL',
  DATABASE: 'DATABASE_URL',
  POSTGRES: 'DATABASE_URL',
  TOKEN: 'TOLLGATE_ADMIN_TOKEN',
  METRICS: 'TOLLGATE_METRICS_PORT',
};

/**
 * Kubernetes sets variables with the addresses of services in each container. The variables of a
 * service named tollgate, or tollgate-redis, look like settings but are not settings.
 */
const OF_SERVICES = /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const ADDRESS_OF_SERVICE = /^(?:tcp|udp|sctp):\/\//;

interface UnknownVariables {
  /**
   * Messages about names that are almost certainly misspelled settings. They are errors: otherwise
   * the platform would run without the intended setting.
   */
  mistakes: string[];
  /**
   * Names that are not similar to any setting, for example settings of another version or of
   * another program.
   */
  others: string[];
}

/**
 * Finds the variables that begin with the prefix but are not settings. The result does not contain
 * their values, which may be secrets.
 */
export function findUnknownVariables(env: NodeJS.ProcessEnv): UnknownVariables {
  const found: UnknownVariables = { mistakes: [], others: [] };
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.toUpperCase().startsWith(PREFIX) || isKnown(variable) || !value) continue;
    if (OF_SERVICES.test(variable) || ADDRESS_OF_SERVICE.test(value)) continue;
    const meant = meantBy(variable.slice(PREFIX.length).toUpperCase());
    if (meant === undefined) found.others.push(variable);
    else found.mistakes.push(`${variable}: unknown setting; did you mean ${meant}?`);
  }
  return found;
}

/**
 * Returns whether a variable is a setting. This includes the settings of the gateway, because both
 * commands may run in the same environment.
 */
function isKnown(variable: string): boolean {
  return Object.hasOwn(SETTINGS, variable) || Object.hasOwn(GATEWAY_SETTINGS, variable);
}

/**
 * Returns a text that names the variables which are probably wrong names of a setting; empty if
 * there are none.
 */
export function misplaced(setting: string, env: NodeJS.ProcessEnv): string {
  const found = findUnknownVariables(env).mistakes.filter((mistake) => mistake.endsWith(` ${setting}?`));
  return found.length === 0 ? '' : ` (${found.join(', ')})`;
}

/** Returns the setting that was probably meant; undefined if none is similar enough. */
function meantBy(name: string): string | undefined {
  const other = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  if (other !== undefined) return other;
  if (URL_OF_POOL.test(name)) return name;
  const settings = new Map(Object.keys(SETTINGS).map((setting) => [setting.replace(PREFIX, ''), setting]));
  const nearest = nearestName(name, settings.keys());
  if (nearest === undefined) return undefined;
  // Allow fewer edits for short names, because these are similar to many others.
  const mostEdits = Math.min(2, Math.floor(name.length / 4));
  return editsBetween(name, nearest) <= mostEdits ? settings.get(nearest) : undefined;
}
