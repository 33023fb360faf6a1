import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ZONE_DATA } from '../../../limiter/redis/instances.js';
import { namesMissingPackage } from '../../../runtime/packages/load-optional.js';
import { type Config, ConfigError, loadConfig } from '../../config/config.js';
import { foreignEntry } from '../../config/data-dir.js';
import { checkPostgres } from './check-postgres.js';
import { checkRedis } from './check-redis.js';
import { checkReplica } from './check-replica.js';
import { type Finding, finding } from './finding.js';

/**
 * Runs `tollgate doctor`: checks everything that `tollgate start` would use with the same settings,
 * and prints one line for each check. It changes only the counters of a test caller. Resolves to 0,
 * or to 1 if a check failed.
 */
export async function doctorCommand(args: string[], { stdout }: Pick<NodeJS.Process, 'stdout'>): Promise<number> {
  const findings = await examine(args);
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  for (const { level, subject, message } of findings) {
    stdout.write(`${level.toLowerCase().padEnd(7)}  ${subject.padEnd(width)}  ${message}\n`);
  }
  const count = (level: Finding['level']) => findings.filter((one) => one.level === level).length;
  stdout.write(`\n${several(count('FAILURE'), 'failure')}, ${several(count('WARNING'), 'warning')}\n`);
  return count('FAILURE') > 0 ? 1 : 0;
}

async function examine(args: string[]): Promise<Finding[]> {
  let config: Config;
  try {
    config = loadConfig({ args });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => finding('FAILURE', 'settings', problem));
  }
  const { redisUrl, databaseUrl, databaseReadUrl, pools } = config;
  const servers = await Promise.all([
    redisUrl === undefined ? [] : checkRedis(redisUrl).catch(ofMissingPackage('Redis')),
    ...pools.map((pool) => checkPool(pool).catch(ofMissingPackage(`Redis ${pool.name}`))),
    databaseUrl === undefined ? [] : checkPostgres(databaseUrl).catch(ofMissingPackage('PostgreSQL')),
    databaseUrl === undefined || databaseReadUrl === undefined
      ? []
      : checkReplica(databaseReadUrl, databaseUrl).catch(ofMissingPackage('PostgreSQL replica')),
  ]);
  const zoneData = finding('OK', 'time zones', `data version ${ZONE_DATA}`);
  return [...judgeSettings(config), zoneData, await judgeDataDir(config.dataDir), ...servers.flat()];
}

/** Converts the error of a missing client package to a finding. */
function ofMissingPackage(subject: string): (error: unknown) => Finding[] {
  return (error) => {
    if (!namesMissingPackage(error)) throw error;
    return [finding('FAILURE', subject, error.message)];
  };
}

/** Checks the Redis of a pool, with the pool's name in the findings. */
async function checkPool({ name, redisUrl }: Config['pools'][number]): Promise<Finding[]> {
  const findings = await checkRedis(redisUrl);
  return findings.map((one) => ({ ...one, subject: one.subject.replace('Redis', `Redis ${name}`) }));
}

function judgeSettings(config: Config): Finding[] {
  const { embedded, adminToken, trustedProxies, jwt } = config;
  const findings = [
    embedded
      ? finding(
          'OK',
          'settings',
          'embedded: counters are in memory, for one process; set REDIS_URL and DATABASE_URL for more',
        )
      : finding('OK', 'settings', 'on Redis and PostgreSQL'),
  ];
  if (!embedded && adminToken === undefined) {
    findings.push(
      finding(
        'WARNING',
        'admin API',
        'TOLLGATE_ADMIN_TOKEN is not set: sign-in needs a token created with adminTokenCreate',
      ),
    );
  }
  if (config.unknownVariables?.length) {
    const names = config.unknownVariables.join(', ');
    findings.push(finding('WARNING', 'settings', `${names}: unknown setting without effect`));
  }
  if (config.region !== undefined) {
    const { name, shares } = config.region;
    const all = Object.entries(shares).map(([region, share]) => `${region} ${share} %`);
    findings.push(
      finding('OK', 'region', `${name}, with ${shares[name]} % of limits that are split (${all.join(', ')})`),
    );
  }
  const isTrusting = typeof trustedProxies === 'number' ? trustedProxies > 0 : trustedProxies.length > 0;
  const proxies = typeof trustedProxies === 'number' ? `${trustedProxies} in front` : trustedProxies.join(', ');
  findings.push(
    isTrusting
      ? finding('OK', 'trusted proxies', proxies)
      : finding('OK', 'trusted proxies', 'none: the address of a connection identifies a caller'),
  );
  if (jwt?.jwksUrl.startsWith('http://')) {
    findings.push(
      finding('WARNING', 'tokens', 'TOLLGATE_JWT_JWKS_URL is not https: anyone on the network path can forge tokens'),
    );
  }
  return findings;
}

/**
 * Checks the folder of the ruleset snapshot and the embedded database. The first start creates it.
 */
async function judgeDataDir(dataDir: string): Promise<Finding> {
  for (let folder = dataDir; ; folder = dirname(folder)) {
    try {
      await access(folder, constants.W_OK | constants.X_OK);
      // `access` checks the permissions of the operating system, but not those of Node's permission
      // model.
      if (process.permission?.has('fs.write', dataDir) === false)
        return unwritable(dataDir, ': Node was started without --allow-fs-write for it');
      const foreign = foreignEntry(dataDir);
      if (foreign !== undefined)
        return finding(
          'WARNING',
          'data directory',
          `${dataDir} also contains ${foreign}: use a separate folder, because Tollgate makes only such a folder private to its user`,
        );
      return finding('OK', 'data directory', dataDir);
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (isMissing && folder !== dirname(folder)) continue;
      return unwritable(dataDir);
    }
  }
}

function unwritable(dataDir: string, because = ''): Finding {
  return finding(
    'FAILURE',
    'data directory',
    `${dataDir} cannot be written${because}; a start without PostgreSQL needs it`,
  );
}

function several(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
