import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig, loadDatabaseUrl } from '../../src/server/config/config.js';

function problemsOf(env: NodeJS.ProcessEnv, args: string[] = []): readonly string[] {
  try {
    loadConfig({ env, args });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  it('without settings, the platform runs embedded, in demo mode and on loopback', () => {
    const config = loadConfig({ env: {} });
    expect(config).toMatchObject({ embedded: true, demo: true, host: '127.0.0.1', port: 4000, denialStatus: 429 });
  });

  it('with an external Redis and PostgreSQL, the demo is off unless it is requested', () => {
    const env = { REDIS_URL: 'redis://r:6379', DATABASE_URL: 'postgres://p/db' };
    expect(loadConfig({ env })).toMatchObject({ embedded: false, demo: false, host: '0.0.0.0' });
    expect(loadConfig({ env, args: ['--demo'] })).toMatchObject({ embedded: false, demo: true });
  });

  it('demo traffic runs only in demo mode and can be turned off', () => {
    const real = { REDIS_URL: 'redis://r:6379', DATABASE_URL: 'postgres://p/db' };
    expect(loadConfig({ env: {} }).traffic).toBe(true);
    expect(loadConfig({ env: real, args: ['--demo'] }).traffic).toBe(true);
    expect(loadConfig({ env: real, args: ['--traffic'] }).traffic).toBe(false);
    expect(loadConfig({ env: {}, args: ['--no-traffic'] }).traffic).toBe(false);
    expect(loadConfig({ env: { TOLLGATE_TRAFFIC: 'false' } }).traffic).toBe(false);
  });

  it('flags override environment variables', () => {
    expect(loadConfig({ env: { PORT: '1' }, args: ['--port', '5001'] }).port).toBe(5001);
  });

  it('an empty environment variable counts as unset', () => {
    expect(loadConfig({ env: { PORT: '', REDIS_URL: '' } })).toMatchObject({ port: 4000, embedded: true });
  });

  it('a configuration error lists all mistakes, each with the expected and the given value', () => {
    const problems = problemsOf({ PORT: '70000', LOG_LEVEL: 'loud', REDIS_URL: 'redis://r' }, ['--prot', '1']);
    expect(problems).toHaveLength(4);
    expect(problems.join('\n')).toMatch(/--prot: unknown flag.*--port/);
    expect(problems.join('\n')).toContain('PORT: expected a whole number from 1 to 65535, got "70000"');
    expect(problems.join('\n')).toMatch(/LOG_LEVEL: expected one of .*info.*, got "loud"/);
    expect(problems.join('\n')).toMatch(/DATABASE_URL: required when REDIS_URL is set/);
  });

  it('a configuration error suggests the intended value, and names the flag if the value was given as a flag', () => {
    expect(problemsOf({}, ['--log-level', 'warning'])[0]).toMatch(
      /^--log-level: .*, got "warning"; did you mean warn\?$/,
    );
    expect(problemsOf({ TOLLGATE_REGION: 'ue', TOLLGATE_REGION_SHARES: 'eu=40,us=60' })).toEqual([
      'TOLLGATE_REGION: expected a region of TOLLGATE_REGION_SHARES (eu, us), got "ue"; did you mean eu?',
    ]);
    expect(problemsOf({ TOLLGATE_REGION: 'eu', TOLLGATE_REGION_SHARES: 'eu=40,us=50' })).toEqual([
      'TOLLGATE_REGION_SHARES: expected shares that sum to 100, got "eu=40,us=50"',
    ]);
    expect(problemsOf({ TOLLGATE_REGION: 'eu', TOLLGATE_REGION_SHARES: 'eu:100' })).toEqual([
      'TOLLGATE_REGION_SHARES: expected shares in percent such as eu=40,us=30,ap=30, got "eu:100"',
    ]);
    expect(problemsOf({ TOLLGATE_REGION: 'eu', TOLLGATE_REGION_SHARES: 'eu=50,eu=50' })).toEqual([
      'TOLLGATE_REGION_SHARES: expected each region once, such as eu=40,us=30,ap=30, got "eu=50,eu=50"',
    ]);
    expect(problemsOf({ TOLLGATE_REGION: 'eu' })).toEqual([
      'TOLLGATE_REGION_SHARES: required when TOLLGATE_REGION is set, such as eu=40,us=30,ap=30',
    ]);
    expect(problemsOf({ TOLLGATE_TIER_REGION_MODE: 'SPLIT' })).toEqual([
      'TOLLGATE_REGION: required when TOLLGATE_TIER_REGION_MODE is set, such as eu',
      'TOLLGATE_REGION_SHARES: required when TOLLGATE_TIER_REGION_MODE is set, such as eu=40,us=30,ap=30',
    ]);
    expect(problemsOf({ TOLLGATE_TIER_PRECISION: 'exact' })).toEqual([
      'TOLLGATE_TIER_PRECISION: expected EXACT or LEASED, got "exact"; did you mean EXACT?',
    ]);
    expect(problemsOf({}, ['--redis-url', 'redis://r'])).toEqual([
      '--database-url: required when --redis-url is set; set both, or neither to run embedded',
    ]);
    const issuer = ['--jwt-issuer', 'https://i.example', '--jwt-audience', 'api'];
    expect(problemsOf({}, issuer)).toEqual(['--jwt-jwks-url: required when --jwt-issuer is set']);
  });

  it('a separate metrics host requires a separate metrics port', () => {
    const own = { TOLLGATE_METRICS_HOST: '10.0.0.1', TOLLGATE_METRICS_PORT: '9464' };
    expect(loadConfig({ env: own })).toMatchObject({ host: '127.0.0.1', metricsHost: '10.0.0.1', metricsPort: 9464 });
    expect(problemsOf({}, ['--metrics-host', '10.0.0.1'])).toEqual([
      '--metrics-port: expected a separate port when --metrics-host is set',
    ]);
    expect(problemsOf({ ...own, TOLLGATE_METRICS_PORT: '4000' })).toEqual([
      'TOLLGATE_METRICS_PORT: expected a separate port when TOLLGATE_METRICS_HOST is set, got 4000, the port of the API',
    ]);
  });

  it.each([
    ['redis://r/abc', 'a whole number as database after host:port/'],
    ['rediss://:secret@r:6379/1.5', 'a whole number as database after host:port/'],
    ['redis-cluster://a,b/1', 'no database in redis-cluster://a,b,c (a Cluster has only database 0)'],
    ['redis-sentinel://a,b', 'redis-sentinel://a,b,c/name'],
  ])('the Redis URL %s is rejected and not shown', (url, expected) => {
    const problems = problemsOf({ REDIS_URL: url, DATABASE_URL: 'postgres://p' });
    expect(problems).toEqual([`REDIS_URL: expected ${expected}, got (a secret, not shown)`]);
  });

  it.each([
    'redis://r/15',
    'redis://r/',
    'redis://r:6379/2?family=6',
    'redis-cluster://a,b/',
    'redis-sentinel://a,b/name',
  ])('the Redis URL %s is accepted', (url) => {
    expect(problemsOf({ REDIS_URL: url, DATABASE_URL: 'postgres://p' })).toEqual([]);
  });

  it.each([
    ['postgres://ann:hunter2@one:5432,two:5432/db', 'one host, such as a proxy'],
    [
      'postgres://ann:hun/ter2@one/db',
      'the user and the password once, in front of the first host, and percent-encoded',
    ],
  ])('the database URL %s is rejected and not shown', (url, expected) => {
    const [problem, ...others] = problemsOf({ REDIS_URL: 'redis://r', DATABASE_URL: url });
    expect(problem).toContain(`DATABASE_URL: expected ${expected}`);
    expect(problem).toMatch(/, got \(a secret, not shown\)$/);
    expect(others).toEqual([]);
    expect(() => loadDatabaseUrl({ env: { DATABASE_URL: url } })).toThrow(problem);
  });

  it.each(['REDIS_URL', 'DATABASE_URL'])('the setting %s is rejected when the other server URL is missing', (name) => {
    const value = name === 'REDIS_URL' ? 'redis://r' : 'postgres://p';
    expect(problemsOf({ [name]: value })).toHaveLength(1);
  });

  it('pools are read in their order, each with its URL', () => {
    const env = {
      REDIS_URL: 'redis://r',
      DATABASE_URL: 'postgres://p/db',
      REDIS_URL_REPORTS: 'redis-cluster://a,b',
      REDIS_URL_WRITES: 'rediss://w',
      TOLLGATE_POOLS: ' reports = name:Report* , field:Query.analytics ; writes=type:mutation;',
    };
    expect(loadConfig({ env }).pools).toEqual([
      {
        name: 'reports',
        operationNames: ['Report*'],
        fields: ['Query.analytics'],
        redisUrl: 'redis-cluster://a,b',
      },
      { name: 'writes', operationTypes: ['MUTATION'], redisUrl: 'rediss://w' },
    ]);
    const args = ['--pools', 'writes=type:MUTATION'];
    expect(problemsOf(env, args)).toEqual([
      expect.stringMatching(/^REDIS_URL_REPORTS: the pool reports is missing in --pools/),
    ]);
    expect(loadConfig({ env: {} }).pools).toEqual([]);
  });

  it('pools can select callers by tenant, user, tier and anonymity', () => {
    const env = {
      REDIS_URL: 'redis://r',
      DATABASE_URL: 'postgres://p/db',
      REDIS_URL_ACME: 'redis://a',
      REDIS_URL_PUBLIC: 'redis://p',
      TOLLGATE_POOLS: 'acme=tenant:acme,user:ann,user:bob;public=anonymous,tier:free',
    };
    expect(loadConfig({ env }).pools).toEqual([
      { name: 'acme', tenants: ['acme'], users: ['ann', 'bob'], redisUrl: 'redis://a' },
      { name: 'public', tiers: ['free'], anonymous: true, redisUrl: 'redis://p' },
    ]);
  });

  it('all mistakes in pools are reported together and without URLs', () => {
    const problems = problemsOf({
      REDIS_URL: 'redis://hunter1',
      DATABASE_URL: 'postgres://p/db',
      TOLLGATE_POOLS:
        'nowhere=field:Query.a;typo=type:MUTATE;globs=name:a b,field:Query.a.b,kind:x;none=;default=type:QUERY;twice=name:a;twice=name:b;same=name:c;bad=name:d',
      REDIS_URL_TYPO: 'redis://hunter2',
      REDIS_URL_GLOBS: 'redis://hunter3',
      REDIS_URL_NONE: 'redis://hunter4',
      REDIS_URL_TWICE: 'redis://hunter5',
      REDIS_URL_SAME: 'redis://hunter1',
      REDIS_URL_BAD: 'http://hunter6',
      REDIS_URL_FORGOTTEN: 'redis://hunter7',
      REDIS_URL_EMPTY: '',
    });
    const text = problems.join('\n');
    expect(text).toContain(
      'TOLLGATE_POOLS: typo: operation type: expected one of QUERY, MUTATION, SUBSCRIPTION, got "MUTATE"',
    );
    expect(text).toContain(
      'TOLLGATE_POOLS: globs: expected type:TYPE, name:NAME, field:FIELD, user:ID, tenant:ID, tier:NAME or anonymous, got "kind:x"',
    );
    expect(text).toMatch(/globs: operation name: .* got "a b"/);
    expect(text).toMatch(/globs: field: .* got "Query.a.b"/);
    expect(text).toMatch(/none: expected a pattern: .* got none/);
    expect(text).toMatch(/expected pools such as .* got "default=type:QUERY"/);
    expect(text).toContain('TOLLGATE_POOLS: twice: expected once, got it several times');
    expect(text).toContain('REDIS_URL_NOWHERE: required, because TOLLGATE_POOLS has the pool nowhere');
    expect(text).toContain('REDIS_URL_SAME: expected a separate Redis, got that of REDIS_URL');
    expect(text).toContain('REDIS_URL_BAD: expected a URL in the form of REDIS_URL, got (a secret, not shown)');
    expect(text).toMatch(/REDIS_URL_FORGOTTEN: the pool forgotten is missing in TOLLGATE_POOLS/);
    expect(problems).toHaveLength(11);
    expect(text).not.toMatch(/hunter/);
    const embedded = problemsOf({ TOLLGATE_POOLS: 'a=name:b', REDIS_URL_A: 'redis://a' });
    expect(embedded).toEqual([expect.stringMatching(/^REDIS_URL: required when TOLLGATE_POOLS is set/)]);
  });

  it.each([
    'postgres://u:hunter2@[::1/db',
    'postgres://u:hunter2@host:54x32/db',
  ])('the database URL %s, which no driver can parse, is rejected and not shown', (url) => {
    const text = problemsOf({ REDIS_URL: 'redis://r', DATABASE_URL: url }).join('\n');
    expect(text).toMatch(/^DATABASE_URL: expected a URL such as postgres:/);
    expect(text).not.toContain('hunter2');
    expect(() => loadDatabaseUrl({ env: { DATABASE_URL: url } })).toThrow(/expected a URL such as postgres:/);
  });

  it.each([
    'postgres:///db?host=/var/run/postgresql',
    'postgres://ann@/db?host=/var/run/postgresql',
    'postgres://ann:a b@host/db',
  ])('the database URL %s is accepted, because the driver accepts it', (url) => {
    expect(problemsOf({ REDIS_URL: 'redis://r', DATABASE_URL: url })).toEqual([]);
  });

  it('configuration errors never show a secret', () => {
    const problems = problemsOf({
      REDIS_URL: 'http://user:hunter2@host',
      DATABASE_URL: 'mysql://user:hunter3@host',
      TOLLGATE_ADMIN_TOKEN: 'hunter4',
    }).join('\n');
    expect(problems).toMatch(/REDIS_URL/);
    expect(problems).toMatch(/DATABASE_URL/);
    expect(problems).toMatch(/TOLLGATE_ADMIN_TOKEN: expected 16 characters or more/);
    expect(problems).not.toMatch(/hunter/);
  });

  it('a flag without its value is rejected', () => {
    expect(problemsOf({}, ['--port'])).toEqual(['--port: expected a value, got nothing']);
  });

  it.each([
    ['2', 2],
    ['10.0.0.0/8, loopback', ['10.0.0.0/8', 'loopback']],
    ['2001:db8::/32', ['2001:db8::/32']],
  ])('trusted proxies are read from %s', (text, proxies) => {
    expect(loadConfig({ env: { TOLLGATE_TRUSTED_PROXIES: text } }).trustedProxies).toEqual(proxies);
  });

  it.each([
    'true',
    '*',
    '10.0.0.0/99',
    'proxy.local',
    '-1',
    ',',
  ])('the value %s for trusted proxies is rejected', (text) => {
    expect(() => loadConfig({ env: { TOLLGATE_TRUSTED_PROXIES: text } })).toThrow(
      /TOLLGATE_TRUSTED_PROXIES: expected the/,
    );
  });

  it.each([48, 56, 64, 128])('the IPv6 prefix length %i is accepted', (prefix) => {
    expect(loadConfig({ env: { TOLLGATE_IPV6_PREFIX: String(prefix) } }).ipv6Prefix).toBe(prefix);
    expect(loadConfig({ args: ['--ipv6-prefix', String(prefix)], env: {} }).ipv6Prefix).toBe(prefix);
  });

  it.each(['0', '32', '/64', '65', '129', 'all', '64\0'])('the IPv6 prefix length %j is rejected', (text) => {
    expect(() => loadConfig({ env: { TOLLGATE_IPV6_PREFIX: text } })).toThrow(
      /TOLLGATE_IPV6_PREFIX: expected 48, 56, 64, 128/,
    );
  });

  it('token settings require keys, issuer and audience together, and accept no algorithm with a shared secret', () => {
    const jwks = { TOLLGATE_JWT_JWKS_URL: 'https://issuer.test/jwks' };
    expect(() => loadConfig({ env: jwks })).toThrow(
      /TOLLGATE_JWT_ISSUER: required[\s\S]*TOLLGATE_JWT_AUDIENCE: required/,
    );
    const whole = { ...jwks, TOLLGATE_JWT_ISSUER: 'https://issuer.test/', TOLLGATE_JWT_AUDIENCE: 'api' };
    expect(loadConfig({ env: whole }).jwt).toEqual({
      jwksUrl: 'https://issuer.test/jwks',
      issuer: 'https://issuer.test/',
      audience: 'api',
      algorithms: ['RS256', 'ES256'],
      userClaim: 'sub',
    });
    // EdDSA and Ed25519 are two names of one signature algorithm (RFC 8037 and RFC 9864).
    expect(loadConfig({ env: { ...whole, TOLLGATE_JWT_ALGORITHMS: 'EdDSA,Ed25519' } }).jwt?.algorithms).toEqual([
      'EdDSA',
      'Ed25519',
    ]);
    for (const algorithms of ['HS256', 'none', 'RS256,HS256', ',']) {
      expect(() => loadConfig({ env: { ...whole, TOLLGATE_JWT_ALGORITHMS: algorithms } })).toThrow(
        /one or more of RS256/,
      );
    }
  });
});
