import type { Timings } from '../../runtime/timings.js';
import type { RedisChannel } from '../redis/redis-channel.js';
import type { SlotNotices } from './slot-queues.js';

/** Name of the channel. */
const CHANNEL = 'tg:slots';

/** Interval at which a process repeats its numbers of waiting callers, in milliseconds. */
const REPEAT_MS = 1000;
/**
 * Time after which a process forgets a number that another one has not repeated, in milliseconds.
 */
const FORGOTTEN_AFTER_MS = 3000;

/** Minimum time between two messages, in milliseconds. Notices of that time share a message. */
const MESSAGE_EACH_MS = 10;

/** Maximum number of counters of other processes in memory. */
const MAX_COUNTERS = 10_000;
/**
 * Maximum number of lines of a message, and of processes whose numbers are stored for one counter.
 */
const MAX_LINES = 256;
/** Maximum length of a message, in characters. The messages of Tollgate are always shorter. */
const MAX_LENGTH = 100_000;

interface PeerNoticesOptions {
  channel: RedisChannel;
  /** Id that differs between processes. */
  process: string;
  timings: Timings;
  onFreed(key: string): void;
}

interface Peer {
  callers: number;
  untilMs: number;
}

/**
 * Notices between the processes that share a Redis. A message has one notice per line. `w 3 KEY`
 * means that three callers wait for slots of this counter, and `f 1 KEY` that a slot is free. With
 * `r 0 -`, a new process requests the numbers of waiting callers. A lost or forged message can
 * delay operations. A forged one can also cause additional charges. Neither changes a decision.
 */
export class PeerNotices implements SlotNotices {
  readonly #options: PeerNoticesOptions;
  /** Numbers of callers that wait in other processes, by counter and process. */
  readonly #peers = new Map<string, Map<string, Peer>>();
  /** Numbers of callers that wait in this process, by counter. */
  readonly #published = new Map<string, number>();
  readonly #unsent = new Map<string, string>();
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #stopSending: (() => void) | undefined;
  #stopRepeating: (() => void) | undefined;
  readonly #unsubscribe: () => void;

  constructor(options: PeerNoticesOptions) {
    this.#options = options;
    this.#unsubscribe = options.channel.subscribe(
      CHANNEL,
      (message) => this.#receive(message),
      () => this.#send('r', 'r 0 -'),
    );
  }

  callersElsewhere(key: string): number {
    const peers = this.#peers.get(key);
    if (peers === undefined) return 0;
    const nowMs = this.#options.timings.clock();
    let callers = 0;
    for (const [process, peer] of peers) {
      if (peer.untilMs > nowMs) callers += peer.callers;
      else peers.delete(process);
    }
    if (peers.size === 0) this.#peers.delete(key);
    return callers;
  }

  waiting(key: string, callers: number): void {
    const before = this.#published.get(key) ?? 0;
    if (callers === 0) this.#published.delete(key);
    else this.#published.set(key, callers);
    // Other changes are published when the number is repeated.
    if (callers > 0 === before > 0) return;
    this.#send(`w ${key}`, `w ${callers} ${key}`);
    this.#repeatLater();
  }

  freed(key: string): void {
    this.#send(`f ${key}`, `f 1 ${key}`);
  }

  close(): void {
    for (const key of [...this.#published.keys()]) this.waiting(key, 0);
    this.#stopRepeating?.();
    this.#stopSending?.();
    this.#flush();
    this.#unsubscribe();
  }

  #send(about: string, line: string): void {
    this.#unsent.set(about, line);
    if (this.#stopSending !== undefined) return;
    const { clock, schedule } = this.#options.timings;
    this.#stopSending = schedule(() => this.#flush(), Math.max(0, this.#sentAtMs + MESSAGE_EACH_MS - clock()));
  }

  #flush(): void {
    this.#stopSending = undefined;
    this.#sentAtMs = this.#options.timings.clock();
    const lines = [...this.#unsent.values()];
    this.#unsent.clear();
    for (let i = 0; i < lines.length; i += MAX_LINES) {
      const message = [this.#options.process, ...lines.slice(i, i + MAX_LINES)].join('\n');
      this.#options.channel.publish(CHANNEL, message);
    }
  }

  #repeatLater(): void {
    if (this.#stopRepeating !== undefined || this.#published.size === 0) return;
    this.#stopRepeating = this.#options.timings.schedule(() => {
      this.#stopRepeating = undefined;
      this.#repeat();
      this.#repeatLater();
    }, REPEAT_MS);
  }

  #repeat(): void {
    for (const [key, callers] of this.#published) this.#send(`w ${key}`, `w ${callers} ${key}`);
  }

  #receive(message: string): void {
    if (message.length > MAX_LENGTH) return;
    const [process, ...lines] = message.split('\n', MAX_LINES + 1);
    if (process === undefined || process === this.#options.process) return;
    for (const line of lines) {
      const [, kind, number, key] = /^([wfr]) (\d{1,5}) (\S{1,300})$/.exec(line) ?? [];
      if (key === undefined) continue;
      if (kind === 'w') this.#learn(process, key, Number(number));
      else if (kind === 'f') this.#options.onFreed(key);
      else this.#repeat();
    }
  }

  #learn(process: string, key: string, callers: number): void {
    let peers = this.#peers.get(key);
    if (callers === 0) {
      peers?.delete(process);
      if (peers?.size === 0) this.#peers.delete(key);
      return;
    }
    if (peers === undefined) {
      peers = new Map();
      if (this.#peers.size >= MAX_COUNTERS) this.#peers.delete(this.#peers.keys().next().value!);
      this.#peers.set(key, peers);
    }
    if (peers.size >= MAX_LINES && !peers.has(process)) return;
    peers.set(process, { callers, untilMs: this.#options.timings.clock() + FORGOTTEN_AFTER_MS });
  }
}
