import type { IncomingMessage } from 'node:http';
import { IPV6_PREFIXES, type Ipv6Prefix, type TrustedProxies } from '../identity/address-of.js';
import { trustedProxiesOption } from '../identity/trusted-proxies-option.js';
import type { Logger } from '../model/logger.js';
import type { OptionTable } from '../options/find-mistakes.js';
import { loggerOption } from '../options/logger-option.js';
import { callback, flag, objectWith, oneOf, required, text, textAs, wholeNumber } from '../options/option-kinds.js';
import type { AdminRole } from '../rules/store/create-admin-token-store.js';
import type { AdministeredTollgate } from './sources-of.js';

/** A person whom your own server knows, and what they may do. */
export interface Administrator {
  /** Stands beside every change that they make. */
  name: string;
  role: AdminRole;
}

export interface AdminHandlerOptions {
  /** What is administered, made with `postgres`. */
  tollgate: AdministeredTollgate;
  /** False: the Tollgate protects no API, it administers those of servers that have published them. @default true */
  ownApi?: boolean;
  /**
   * The path that the handler answers below, such as `/tollgate`.
   * @default where Express has mounted it, else everything
   */
  basePath?: string;
  /** A token that may do everything, beside those that are made through the API. @default none */
  token?: string;
  /**
   * Says who asks by means of your own, such as a session; undefined leaves it to the token of the request. What it throws
   * is answered with 500. Pages of other sites can make no use of a cookie that it reads: their requests are refused.
   * @default by tokens alone
   */
  authorize?(request: IncomingMessage): Administrator | undefined | Promise<Administrator | undefined>;
  /** Everybody may look and none may change anything here, whatever their role. @default false */
  readOnly?: boolean;
  /** The proxies in front, for the address that guesses of tokens are charged to. @default none */
  trustedProxies?: TrustedProxies;
  /** Bits by which IPv6 addresses are told apart, 48, 56, 64 or 128: those of `identity.ipv6Prefix`. @default 64 */
  ipv6Prefix?: Ipv6Prefix;
  /** The largest request body, in bytes, after inflation. @default 102400 */
  maxBodyBytes?: number;
  /** Takes hints out of errors, and the page for browsers away. @default whether NODE_ENV is "production" */
  production?: boolean;
  /** Called with the path, below the base path, and the status of each answer; must not throw. */
  onAnswer?(path: string, status: number): void;
  /** pino's, or anything alike. @default JSON lines in pino's form, to standard output */
  logger?: Logger;
}

export const ADMIN_HANDLER_OPTIONS: OptionTable<AdminHandlerOptions> = {
  tollgate: required(
    objectWith<AdministeredTollgate>(
      'what createTollgate resolves to',
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
