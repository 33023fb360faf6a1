import { isPoolName } from '../../limiter/charge/is-pool-name.js';
import { findPatternProblems, type NamedPatterns, type PoolPatterns } from '../../rules/matching/pool-finder.js';

/** A pool: a separate Redis for some of the operations or callers. */
export interface ConfiguredPool extends NamedPatterns {
  readonly redisUrl: string;
}

const URL_PREFIX = 'REDIS_URL_';
type ListedPatterns = Exclude<keyof PoolPatterns, 'anonymous'>;
const KINDS: Readonly<Record<string, ListedPatterns>> = {
  type: 'operationTypes',
  name: 'operationNames',
  field: 'fields',
  user: 'users',
  tenant: 'tenants',
  tier: 'tiers',
};
const ANONYMOUS = 'anonymous';
const FORM = 'reports=name:Report*,field:Query.analytics;writes=type:MUTATION';

interface PoolSources {
  /**
   * Value of `TOLLGATE_POOLS`: the patterns of each pool. The first pool that handles the operation
   * and its caller is used. Undefined for no pools.
   */
  patterns: string | undefined;
  /** Name by which the user set `patterns`, for messages. */
  shownAs: string;
  env: NodeJS.ProcessEnv;
  redisUrl: string | undefined;
  /** Name by which the user set `redisUrl`. */
  redisUrlShownAs: string;
  isRedisUrl(text: string): boolean;
}

/**
 * Reads the pools: their patterns from one setting, the URL of each from `REDIS_URL_<POOL>`. Adds
 * every mistake to `problems`. The messages never contain a URL.
 */
export function readPools(sources: PoolSources, problems: string[]): ConfiguredPool[] {
  const { patterns = '', shownAs, env } = sources;
  const urls = new Map(
    Object.entries(env)
      .filter(([variable, value]) => variable.startsWith(URL_PREFIX) && value)
      .map(([variable, value]) => [variable.slice(URL_PREFIX.length).toLowerCase(), value!]),
  );
  const pools = new Map<string, ConfiguredPool>();
  for (const part of splitBy(';', patterns)) {
    const [name = '', ...texts] = part.split('=').map((text) => text.trim());
    if (texts.length !== 1 || !isPoolName(name)) {
      problems.push(
        `${shownAs}: expected pools such as ${FORM}, with names of lower-case letters, digits and _, other than default; got ${JSON.stringify(part)}`,
      );
    } else if (pools.has(name)) problems.push(`${shownAs}: ${name}: expected once, got it several times`);
    else pools.set(name, { name, ...readPatterns(name, texts[0]!, shownAs, problems), redisUrl: urls.get(name) ?? '' });
  }
  if (pools.size > 0 && sources.redisUrl === undefined) {
    problems.push(
      `${sources.redisUrlShownAs}: required when ${shownAs} is set, because this Redis decides operations that are in no pool`,
    );
  }
  const places = new Map([[sources.redisUrl, sources.redisUrlShownAs]]);
  for (const { name, redisUrl } of pools.values()) {
    const variable = variableOf(name);
    const other = places.get(redisUrl);
    if (redisUrl === '') {
      problems.push(`${variable}: required, because ${shownAs} has the pool ${name}`);
    } else if (!sources.isRedisUrl(redisUrl)) {
      problems.push(`${variable}: expected a URL in the form of REDIS_URL, got (a secret, not shown)`);
    } else if (other !== undefined) problems.push(`${variable}: expected a separate Redis, got that of ${other}`);
    places.set(redisUrl, variable);
  }
  for (const name of urls.keys()) {
    if (!pools.has(name)) {
      problems.push(
        `${variableOf(name)}: the pool ${name} is missing in ${shownAs}: add it with its patterns, such as ${FORM}`,
      );
    }
  }
  return [...pools.values()];
}

function readPatterns(name: string, text: string, shownAs: string, problems: string[]): PoolPatterns {
  const read = new Map<ListedPatterns, string[]>();
  let anonymous = false;
  let isReadable = true;
  for (const pattern of splitBy(',', text)) {
    const [, kind = '', value = ''] = /^(\w+)\s*:\s*(.*)$/.exec(pattern) ?? [];
    const member = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
    if (pattern === ANONYMOUS) anonymous = true;
    else if (member) {
      read.set(member, [...(read.get(member) ?? []), member === 'operationTypes' ? value.toUpperCase() : value]);
    } else {
      isReadable = false;
      problems.push(
        `${shownAs}: ${name}: expected type:TYPE, name:NAME, field:FIELD, user:ID, tenant:ID, tier:NAME or anonymous, got ${JSON.stringify(pattern)}`,
      );
    }
  }
  const patterns: PoolPatterns = { ...Object.fromEntries(read), ...(anonymous && { anonymous }) };
  const found = findPatternProblems(patterns);
  const hasNone = read.size === 0 && !anonymous;
  if (isReadable || !hasNone) problems.push(...found.map((problem) => `${shownAs}: ${name}: ${problem}`));
  return patterns;
}

function variableOf(name: string): string {
  return `${URL_PREFIX}${name.toUpperCase()}`;
}

function splitBy(separator: string, text: string): string[] {
  return text
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
