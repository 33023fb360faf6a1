import { expect, it } from 'vitest';
import { ConfigError, loadConfig, loadDatabaseUrl } from '../../src/server/config/config.js';
import { SETTINGS } from '../../src/server/config/setting-flags.js';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig({ env });
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
}

it.each([
  ['TOLLGATE_FEEE', '2', 'TOLLGATE_FEE'],
  ['TOLLGATE_REDIS_URL', 'redis://:hunter2@x', 'REDIS_URL'],
  ['TOLLGATE_DATABASE_URL', 'postgres://:hunter2@x', 'DATABASE_URL'],
  ['TOLLGATE_POSTGRES_URL', 'postgres://:hunter2@x', 'DATABASE_URL'],
  ['TOLLGATE_REDIS_URL_REPORTS', 'redis://:hunter2@x', 'REDIS_URL_REPORTS'],
  ['TOLLGATE_PORT', '4000', 'PORT'],
  ['TOLLGATE_HOST', '0.0.0.0', 'HOST'],
  ['TOLLGATE_LOG_LEVEL', 'debug', 'LOG_LEVEL'],
  ['TOLLGATE_ADMIN_TOKENS', 'hunter2', 'TOLLGATE_ADMIN_TOKEN'],
  ['TOLLGATE_TRUST_PROXIES', '1', 'TOLLGATE_TRUSTED_PROXIES'],
  ['TOLLGATE_MAX_DEPHT', '3', 'TOLLGATE_MAX_DEPTH'],
  ['tollgate_fee', '2', 'TOLLGATE_FEE'],
])('the unknown variable %s with the value %s is rejected with the suggestion %s', (variable, value, meant) => {
  expect(problemsOf({ [variable]: value })).toEqual([`${variable}: unknown setting; did you mean ${meant}?`]);
});

it('unknown variables are reported in one error with the other mistakes', () => {
  const problems = problemsOf({ TOLLGATE_FEEE: '2', TOLLGATE_REDIS_URL: 'redis://x', PORT: 'x' });
  expect(problems).toHaveLength(3);
});

it.each([
  'TOLLGATE_URL',
  'TOLLGATE_VERSION',
  'TOLLGATE_SHINY_NEW_THING',
  'TOLLGATE_X',
])('the variable %s, which resembles no setting, is accepted and reported as unknown', (variable) => {
  expect(loadConfig({ env: { [variable]: 'x' } }).unknownVariables).toEqual([variable]);
});

it('variables of Kubernetes services and empty variables are ignored', () => {
  const env = {
    TOLLGATE_SERVICE_HOST: '10.0.0.1',
    TOLLGATE_SERVICE_PORT: '4000',
    TOLLGATE_SERVICE_PORT_HTTP: '4000',
    TOLLGATE_PORT: 'tcp://10.0.0.1:4000',
    TOLLGATE_PORT_4000_TCP: 'tcp://10.0.0.1:4000',
    TOLLGATE_PORT_4000_TCP_ADDR: '10.0.0.1',
    TOLLGATE_REDIS_SERVICE_HOST: '10.0.0.2',
    TOLLGATE_REDIS_PORT: 'tcp://10.0.0.2:6379',
    TOLLGATE_FEEE: '',
  };
  expect(loadConfig({ env }).unknownVariables).toEqual([]);
});

it('no known setting is reported as unknown', () => {
  const names = Object.keys(SETTINGS).filter((name) => name.startsWith('TOLLGATE_'));
  const problems = problemsOf(Object.fromEntries(names.map((name) => [name, 'no value of any setting'])));
  expect(problems.filter((problem) => problem.includes('unknown setting'))).toEqual([]);
});

it('a command without a database URL names the misspelled variable that contains one', () => {
  expect(() => loadDatabaseUrl({ env: { TOLLGATE_DATABASE_URL: 'postgres://:hunter2@x' } })).toThrow(
    /got nothing \(TOLLGATE_DATABASE_URL: unknown setting; did you mean DATABASE_URL\?\)$/,
  );
});
