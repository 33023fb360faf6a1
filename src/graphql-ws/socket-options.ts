import { EVENT_POLICIES, type EventPolicy } from '../model/rule.js';
import { defineNumber } from '../options/define-number.js';
import { findMistakes, type OptionTable, rejectMistakes } from '../options/find-mistakes.js';
import { callback, oneOf } from '../options/option-kinds.js';
import { RECHECK_MS } from '../protection/connections/create-credential-check.js';

/** Headers by lower-case name. An undefined value removes the header of the handshake. */
type MappedHeaders = Readonly<Record<string, string | undefined>>;

/** Options of Tollgate for the WebSockets of a graphql-ws server. */
export interface SocketOptions {
  /**
   * Returns headers for the `connectionParams` of a client, in addition to those of the handshake:
   * `({ token }) => ({ authorization: token })`. The caller is identified by these headers. Check the
   * types of the parameters, because a client can send any JSON object.
   * @default the caller is identified by the headers of the handshake
   */
  headersOf?: (
    connectionParams: Readonly<Record<string, unknown>>,
    request: object,
  ) => MappedHeaders | Promise<MappedHeaders>;
  /**
   * Number of bytes that may wait in the buffer of one WebSocket before its subscriptions pause,
   * drop events or end.
   * @default 1048576
   */
  maxBufferedBytes?: number;
  /**
   * Effect on a subscription whose client reads too slowly. `PAUSE`: no event is read from the
   * source. `DROP`: further events are not sent. `COMPLETE`: the subscription ends with an error.
   * @default 'PAUSE'
   */
  onSlowReader?: EventPolicy;
  /**
   * Time after which a connection without an operation is closed, in milliseconds. 0 for no limit.
   * @default 300000
   */
  idleTimeoutMs?: number;
  /**
   * Interval at which the credential of an open connection is checked again, in milliseconds. If it
   * is no longer valid, the connection is closed with 4403. A token is also checked when it expires.
   * @default 60000
   */
  recheckMs?: number;
}

const maxBufferedBytes = defineNumber({ least: 1024, most: 2 ** 30, default: 2 ** 20, unit: 'bytes' });
const idleTimeoutMs = defineNumber({ least: 0, most: 86_400_000, default: 300_000, unit: 'milliseconds' });
const recheckMs = defineNumber({ least: 1000, most: 86_400_000, default: RECHECK_MS, unit: 'milliseconds' });

const TABLE: OptionTable<SocketOptions> = {
  headersOf: callback('({ token }) => ({ authorization: token })'),
  maxBufferedBytes,
  onSlowReader: oneOf(...EVENT_POLICIES),
  idleTimeoutMs,
  recheckMs,
};

export type SocketSettings = Required<Omit<SocketOptions, 'headersOf'>> & {
  headersOf: SocketOptions['headersOf'];
};

/**
 * Returns the options with their defaults.
 * @throws TypeError that lists every mistake
 */
export function socketSettings(options: SocketOptions = {}): SocketSettings {
  rejectMistakes('webSockets', findMistakes(options, TABLE));
  return {
    headersOf: options.headersOf,
    maxBufferedBytes: options.maxBufferedBytes ?? maxBufferedBytes.default,
    onSlowReader: options.onSlowReader ?? 'PAUSE',
    idleTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMs.default,
    recheckMs: options.recheckMs ?? recheckMs.default,
  };
}
