import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { redisOption } from '../../src/limiter/redis/redis-option.js';
import { postgresOption } from '../../src/postgres/postgres-option.js';
import { type ConfigError, loadConfig } from '../../src/server/config/config.js';
import { GATEWAY_SETTINGS } from '../../src/server/config/gateway-flags.js';
import { loadGatewayConfig } from '../../src/server/config/load-gateway-config.js';
import { readCommandLine } from '../../src/server/config/read-command-line.js';
import { SETTING_FLAGS, SETTINGS } from '../../src/server/config/setting-flags.js';
import { PAGES as ALL_PAGES, codeBlocks, ROOT } from './documents.js';

/** Pages without the changelog, which also shows settings that are no longer valid. */
const PAGES = new Map([...ALL_PAGES].filter(([page]) => page !== 'CHANGELOG.md'));

/** Environment variables of one place, which must be valid together. */
interface Environment {
  place: string;
  variables: Record<string, string>;
}

const isSetting = (name: string) =>
  name in SETTINGS || name in GATEWAY_SETTINGS || /^(TOLLGATE_|REDIS_URL_)/.test(name);
const ASSIGNMENT = /^\s*(?:export |- )?([A-Z][A-Z0-9_]+)=('[^']*'|"[^"]*"|[^\s\\]*)/gm;

function assignmentsOf(text: string): Record<string, string> {
  const all = [...text.matchAll(ASSIGNMENT)].map(([, name, value]) => [name!, value!.replace(/^(['"])(.*)\1$/, '$2')]);
  return Object.fromEntries(all.filter(([name]) => isSetting(name!)));
}

/**
 * Returns the environments of services of Compose, and of containers of Kubernetes, anywhere in a
 * document.
 */
function environmentsIn(node: unknown): Record<string, string>[] {
  if (typeof node !== 'object' || node === null) return [];
  const { environment, env } = node as Record<string, unknown>;
  const pairs = Array.isArray(env)
    ? (env as { name: string; value?: unknown }[]).flatMap(({ name, value }) =>
        value === undefined ? [] : [[name, value]],
      )
    : Object.entries((environment ?? {}) as object);
  const variables = pairs
    .map(([name, value]) => [String(name), String(value).replace(/^\$\{\w+:[-?]([^}]*)\}$/, '$1')] as const)
    .filter(([name]) => isSetting(name));
  const own = variables.length > 0 ? [Object.fromEntries(variables)] : [];
  return [...own, ...Object.values(node).flatMap(environmentsIn)];
}

function documentedEnvironments(): Environment[] {
  const ofBlocks = codeBlocks().flatMap(({ place, language, code }): Environment[] => {
    if (language === 'yaml') return inYaml(place, code);
    const variables = assignmentsOf(code);
    return Object.keys(variables).length > 0 ? [{ place, variables }] : [];
  });
  const inline = [...PAGES].flatMap(([page, text]) =>
    [...text.matchAll(/`((?:[A-Z][A-Z0-9_]+=[^`\s]+ ?)+)/g)]
      .map(([, code]) => ({ place: `${page}: ${code}`, variables: assignmentsOf(code!.replaceAll(' ', '\n')) }))
      .filter(({ variables }) => Object.keys(variables).length > 0),
  );
  return [...ofBlocks, ...inline, ...inYaml('compose.yaml', readFileSync(join(ROOT, 'compose.yaml'), 'utf8'))];
}

function inYaml(place: string, text: string): Environment[] {
  return parseAllDocuments(text).flatMap((document) =>
    environmentsIn(document.toJS()).map((variables) => ({ place, variables })),
  );
}

/**
 * Returns the problems of an environment. It may omit the URLs of Redis and PostgreSQL, because
 * they may be set elsewhere.
 */
function problemsOf({ variables }: Environment): readonly string[] {
  const base = { REDIS_URL: 'redis://r', DATABASE_URL: 'postgres://p/db' };
  try {
    loadGatewayConfig({
      env: { ...base, ...variables },
      args: variables['TOLLGATE_UPSTREAM'] ? [] : ['--upstream', 'http://api'],
    });
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

describe('settings in the documentation', () => {
  it('environment variables in lines and files of the documentation are valid', () => {
    const environments = documentedEnvironments();
    expect(environments.map(({ place }) => place)).toContain('compose.yaml');
    expect(environments.length).toBeGreaterThan(3);
    // The check reads the settings of a gateway with an upstream, which cannot have the sample API.
    const withoutDemo = environments.map(({ place, variables: { TOLLGATE_DEMO: _demo, ...variables } }) => ({
      place,
      variables,
    }));
    const wrong = withoutDemo.flatMap((one) => problemsOf(one).map((problem) => `${one.place}: ${problem}`));
    expect(wrong).toEqual([]);
  });

  it('flags of documented server commands are valid', () => {
    const lines = [...PAGES]
      .filter(([page]) => page !== 'docs/commands.md')
      .flatMap(([page, text]) =>
        [...text.matchAll(/(?:`|^)(?:\$ |npx )?tollgate(?:-platform)? (start|gateway|doctor)\b([^`\n]*)/gm)].map(
          ([line, command, rest]) => ({
            place: `${page}: ${line}`,
            command,
            args: rest!
              .split(/ (?:[|>#]|&&) /)[0]!
              .trim()
              .split(/\s+/),
          }),
        ),
      )
      // Words in capitals are placeholders for the reader's values.
      .filter(
        ({ args }) =>
          args.length > 0 && args.every((arg) => arg !== '' && !/^(?:--[\w-]+=)?[A-Z_]+$/.test(arg) && arg !== '\\'),
      );
    expect(lines.length).toBeGreaterThan(0);
    const wrong = lines.flatMap(({ place, command, args }) => {
      try {
        if (command === 'gateway')
          loadGatewayConfig({
            env: {},
            args: args.some((arg) => /^--(upstream|demo)/.test(arg)) ? args : ['--upstream', 'http://api', ...args],
          });
        else if (readCommandLine({ flags: SETTING_FLAGS }, args).problems.length === 0) loadConfig({ env: {}, args });
        return [];
      } catch (error) {
        return [`${place}: ${(error as Error).message}`];
      }
    });
    expect(wrong).toEqual([]);
  });

  it('URLs of Redis and PostgreSQL in all pages and deployment files are valid', () => {
    const texts = [...PAGES, ['compose.yaml', readFileSync(join(ROOT, 'compose.yaml'), 'utf8')] as const];
    const urls = texts.flatMap(([page, text]) =>
      [...text.matchAll(/\b(?:rediss?|redis-cluster|redis-sentinel|postgres(?:ql)?):\/\/[\w%:@./,?=&[\]-]+/g)].map(
        ([url]) => ({ page, url: url.replace(/[.,:]+$/, '').replace(':port', ':1') }),
      ),
    );
    expect(urls.length).toBeGreaterThan(10);
    const wrong = urls.flatMap(({ page, url }) => {
      const option = url.startsWith('postgres') ? postgresOption : redisOption;
      return [...option.find(url, `${page}: ${url}`)];
    });
    expect(wrong).toEqual([]);
  });
});
