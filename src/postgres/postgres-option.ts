import { describeValue } from '../options/describe-value.js';
import { findCredentialMistake } from '../options/find-credential-mistake.js';
import type { OptionCheck } from '../options/find-mistakes.js';
import type { Db } from './db.js';
import { isPostgresUrl } from './place-of-postgres.js';

/**
 * URL with several hosts. libpq accepts a list of hosts, but the driver `pg` accepts only one host.
 */
const SEVERAL_HOSTS = /^postgres(ql)?:\/\/([^/?#]*@)?[^/?#@]*,/;

const METHODS = ['query', 'tx', 'close'] as const satisfies readonly (keyof Db)[];

/** Check of a PostgreSQL URL. No message contains the URL, because it may contain a password. */
export const postgresUrlOption: OptionCheck<string> = {
  *find(value, place) {
    if (typeof value === 'string') {
      const mistake = findCredentialMistake(value);
      if (!/^postgres(ql)?:\/\/./.test(value)) {
        yield `${place}: expected a URL that begins with postgres:// or postgresql://, got ${beginningOf(value)}`;
      } else if (mistake !== undefined) {
        yield `${place}: ${mistake}; got another value`;
      } else if (SEVERAL_HOSTS.test(value)) {
        yield `${place}: expected one host, such as a proxy or a name that leads to the primary even after a failover; got several`;
      } else if (!isPostgresUrl(value)) {
        yield `${place}: expected a URL such as postgres://user:password@host:5432/database; got another value`;
      }
    } else yield `${place}: expected a URL such as postgres://user:password@host:5432/database, got ${whatCame(value)}`;
  },
};

/** Check of a PostgreSQL database, which is given as a URL or as an open `Db`. */
export const postgresOption: OptionCheck<Db | string> = {
  *find(value, place) {
    if (!isDb(value)) yield* postgresUrlOption.find(value, place);
  },
};

function beginningOf(url: string): string {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(url)?.[0];
  return scheme === undefined ? 'a string with another prefix' : `one that begins with ${scheme}`;
}

function isDb(value: unknown): boolean {
  const members = (value ?? {}) as Record<string, unknown>;
  return METHODS.every((name) => typeof members[name] === 'function');
}

function whatCame(value: unknown): string {
  const { query, connect, host } = (value ?? {}) as Record<string, unknown>;
  if (typeof query === 'function' && typeof connect === 'function') {
    return 'a client or pool of pg: pass its URL';
  }
  return typeof host === 'string' ? 'options of a client: pass them as a URL' : describeValue(value);
}
