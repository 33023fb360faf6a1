import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/server/config/config.js';
import { loadGatewayConfig } from '../../src/server/config/load-gateway-config.js';

const problemsOf = (args: string[], env: Record<string, string> = {}): readonly string[] => {
  try {
    loadGatewayConfig({ args, env });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('the settings of a gateway', () => {
  it('the error for invalid settings of a gateway lists every mistake and contains no secrets', () => {
    const problems = problemsOf(
      ['--upstream', 'ftp://api', '--port', 'x', '--max-upstream-requests', '0', '--deny-headers', 'a b', '--nothing'],
      { TOLLGATE_UPSTREAM_AUTHORIZATION: 'Bearer sec\nret' },
    ).join('\n');
    for (const named of ['--upstream', '--port', '--max-upstream-requests', '--deny-headers', '--nothing']) {
      expect(problems).toContain(`${named}: `);
    }
    expect(problems).toContain('TOLLGATE_UPSTREAM_AUTHORIZATION: ');
    expect(problems).not.toContain('Bearer');
  });

  it('a gateway needs either an upstream or the sample API, and not both', () => {
    expect(problemsOf([])).toEqual([expect.stringContaining('--upstream: expected the URL')]);
    expect(problemsOf(['--demo'])).toEqual([]);
    expect(problemsOf(['--demo', '--upstream', 'http://api/'])).toEqual([expect.stringContaining('--demo: ')]);
    const [problem, ...others] = problemsOf(['--upstream', 'https://ann:pass@api/']);
    expect(problem).toContain('without user');
    expect(problem).not.toContain('ann:pass');
    expect(others).toEqual([]);
  });

  it('a gateway with an upstream serves no sample API and logs at level info unless configured otherwise', () => {
    const { config, gateway } = loadGatewayConfig({ args: ['--upstream', 'http://api/', '--observe'], env: {} });
    expect(config).toMatchObject({ demo: false, logLevel: 'info' });
    expect(gateway).toMatchObject({ upstream: 'http://api/', observe: true });
    expect(loadGatewayConfig({ args: ['--demo'], env: {} }).config.logLevel).toBe('info');
    const quiet = loadGatewayConfig({
      args: ['--upstream', 'http://api/', '--observe', '--log-level', 'error'],
      env: {},
    });
    expect(quiet.config.logLevel).toBe('error');
  });

  it('a gateway with an upstream defaults to production mode, both without and with an external Redis and PostgreSQL', () => {
    const servers = { REDIS_URL: 'redis://r:6379', DATABASE_URL: 'postgres://p/db' };
    const read = (args: string[], env: NodeJS.ProcessEnv) => {
      const { production, demo, traffic } = loadGatewayConfig({ args, env }).config;
      return { production, demo, traffic };
    };
    const own = ['--upstream', 'http://api/'];
    for (const env of [{}, servers]) {
      expect(read(own, env)).toEqual({ production: true, demo: false, traffic: false });
      expect(read([...own, '--no-demo'], env)).toEqual({ production: true, demo: false, traffic: false });
      expect(read([...own, '--no-production'], env)).toEqual({ production: false, demo: false, traffic: false });
      expect(read(['--demo'], env)).toEqual({ production: false, demo: true, traffic: true });
      expect(read(['--demo'], { ...env, NODE_ENV: 'production' }).production).toBe(true);
    }
  });

  it('--pass-headers accepts headers of proxies and rejects headers that the gateway writes itself', () => {
    const own = ['--upstream', 'http://api/'];
    const { gateway } = loadGatewayConfig({ args: [...own, '--pass-headers', 'CF-IPCountry, remote-user'], env: {} });
    expect(gateway.passedHeaders).toEqual(['cf-ipcountry', 'remote-user']);
    for (const name of ['x-forwarded-for', 'content_length', 'Host', 'x-api-key']) {
      expect(problemsOf([...own, '--pass-headers', name])).toEqual([
        expect.stringMatching(/^--pass-headers: expected no/),
      ]);
    }
  });

  it('--socket-credentials names members of connectionParams and rejects names without a header', () => {
    const own = ['--upstream', 'http://api/', '--socket-credentials'];
    const names = 'Authorization, headers.x-api-key, auth.token=authorization';
    expect(loadGatewayConfig({ args: [...own, names], env: {} }).gateway.socketCredentials).toEqual([
      { path: ['Authorization'], header: 'authorization' },
      { path: ['headers', 'x-api-key'], header: 'x-api-key' },
      { path: ['auth', 'token'], header: 'authorization' },
    ]);
    for (const name of ['token', 'a.b.authorization', 'token=cookie', 'authorization,token', ',']) {
      expect(problemsOf([...own, name])).toEqual([
        expect.stringContaining('--socket-credentials: expected names such as'),
      ]);
    }
  });

  it('problems with the upstream URL never show its query string, which may be a secret', () => {
    for (const url of ['ftp://api/?key=secret', 'http://api/?key=secret#x', 'http://api:x/?key=secret']) {
      const problems = problemsOf(['--upstream', url]);
      expect(problems).toHaveLength(1);
      expect(problems.join()).not.toContain('key=');
    }
  });
});
