import type { IncomingMessage } from 'node:http';
import { IPV6_PREFIXES, type Ipv6Prefix, type TrustedProxies } from '../identity/address-of.js';
import { trustedProxiesOption } from '../identity/trusted-proxies-option.js';
import type { Logger } from '../model/logger.js';
import type { OptionTable } from '../options/find-mistakes.js';
import { loggerOption } from '../options/logger-option.js';
import { callback, flag, objectWith, oneOf, required, text, textAs, wholeNumber } from '../options/option-kinds.js';
import type { AdminRole } from '../rules/store/create-admin-token-store.js';
import type { AdministeredTollgate } from './sources-of.js';

/** A person that your own server has authenticated, and their role. */
export interface Administrator {
  /** Name of the administrator, which the record of changes shows as the author. */
  name: string;
  role: AdminRole;
}

export interface AdminHandlerOptions {
  /** Tollgate to administer. It must have been created with `postgres`. */
  tollgate: AdministeredTollgate;
  /**
   * Whether this Tollgate protects an API itself. If false, it only administers the APIs of other
   * servers, which have published their schemas.
   * @default true
   */
  ownApi?: boolean;
  /**
   * Path below which the handler serves requests, such as `/tollgate`.
   * @default the path at which Express has mounted it, else `/`
   */
  basePath?: string;
  /**
   * Token with all rights, in addition to the tokens that are created through the API.
   * @default none
   */
  token?: string;
  /**
   * Identifies the administrator by your own means, such as a session. If it returns undefined,
   * Tollgate checks the token of the request. If it throws, the response has status 500. Tollgate
   * rejects requests that a browser marks as coming from another site, so other sites cannot use a
   * cookie that this function reads.
   * @default only tokens identify administrators
   */
  authorize?(request: IncomingMessage): Administrator | undefined | Promise<Administrator | undefined>;
  /**
   * Whether this handler rejects all changes, even those of administrators with the role ADMIN.
   * @default false
   */
  readOnly?: boolean;
  /**
   * Proxies in front of the server whose `X-Forwarded-For` is trusted. Attempts to guess a token
   * are limited per address, which Tollgate reads from this header.
   * @default none
   */
  trustedProxies?: TrustedProxies;
  /**
   * Prefix length by which IPv6 addresses are counted: 48, 56, 64 or 128, as in
   * `identity.ipv6Prefix`.
   * @default 64
   */
  ipv6Prefix?: Ipv6Prefix;
  /** Maximum size of a request body after decompression, in bytes. @default 102400 */
  maxBodyBytes?: number;
  /**
   * Whether to omit hints from errors.
   * @default whether NODE_ENV is "production"
   */
  production?: boolean;
  /**
   * Receives the path and the status of each response of the GraphQL API, each response about a
   * console session, and each rejection of invalid credentials. The path is relative to the base
   * path, and empty for invalid credentials. Pages, open streams and exports are not reported. It
   * must not throw.
   */
  onAnswer?(path: string, status: number): void;
  /**
   * Logger: pino, or any object with the same methods.
   * @default JSON lines in pino's form, to standard output
   */
  logger?: Logger;
}

export const ADMIN_HANDLER_OPTIONS: OptionTable<AdminHandlerOptions> = {
  tollgate: required(
    objectWith<AdministeredTollgate>(
      'the object that createTollgate resolves to',
      'health',
      'engineHealth',
      'problems',
      'quota',
      'resetQuota',
    ),
  ),
  ownApi: flag,
  basePath: textAs(/^(\/[^/?#]+)+$/, 'a path such as "/tollgate"'),
  token: text,
  authorize: callback('(request) => ({ name, role })'),
  readOnly: flag,
  trustedProxies: trustedProxiesOption,
  ipv6Prefix: oneOf(...IPV6_PREFIXES),
  maxBodyBytes: wholeNumber(1),
  production: flag,
  onAnswer: callback(),
  logger: loggerOption,
};
