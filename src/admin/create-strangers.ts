import type { IncomingMessage } from 'node:http';
import { type AddressOf, createAddressOf } from '../identity/address-of.js';
import { createGuessLimit, type GuessLimit } from '../identity/guess-limit.js';
import type { Logger } from '../model/logger.js';
import type { RulesStore } from '../rules/store/rules-store.js';
import type { AdminHandlerOptions } from './admin-handler-options.js';
import { createGuessRecord } from './context/create-denial-record.js';

interface StrangersParts {
  store: RulesStore;
  logger: Logger;
  onError(error: unknown): void;
}

/** Senders of requests without a valid token, identified by their addresses. */
export interface Strangers {
  addressOf: AddressOf;
  /** Limit on look-ups of unknown credentials, per address. */
  guesses: GuessLimit;
  /** Records that the address of a request has guessed tokens until its bucket was used up. */
  onThrottled(request: IncomingMessage): void;
}

export function createStrangers(
  { trustedProxies = 0, ipv6Prefix }: AdminHandlerOptions,
  { store, logger, onError }: StrangersParts,
): Strangers {
  const addressOf = createAddressOf(trustedProxies, { ipv6Prefix });
  const recordGuesses = createGuessRecord({
    store,
    onGuessing: (address) =>
      logger.warn(`Repeated unknown admin tokens from address ${address}: its further attempts are rejected`),
    onError,
  });

  return {
    addressOf,
    guesses: createGuessLimit(),
    onThrottled: (request) => recordGuesses(addressOf(request)),
  };
}
