/** Messages of a client that are no operations: pings, pongs, and ends of unknown operations. */
interface IdleBudget {
  /** Counts a message. Returns whether the client may send it. */
  take(bytes: number): boolean;
  /** Begins the next interval. */
  renew(): void;
}

/** Maximum number of messages per interval. A stock client sends one ping in several seconds. */
const MAX_MESSAGES = 200;
/** Maximum total length of these messages per interval. They are parsed without a charge. */
const MAX_BYTES = 256 * 1024;

/** Creates the budget of a socket. Operations do not count, because they are charged. */
export function createIdleBudget(): IdleBudget {
  let messages = 0;
  let bytes = 0;
  return {
    take(length) {
      messages++;
      bytes += length;
      return messages <= MAX_MESSAGES && bytes <= MAX_BYTES;
    },
    renew() {
      messages = 0;
      bytes = 0;
    },
  };
}
