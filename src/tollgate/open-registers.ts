import type { StreamsSource, StreamTotals } from '../model/stream-totals.js';
import { type Connections, createConnections } from '../protection/connections/create-connections.js';
import { createOpenSubscriptions, type OpenSubscriptions } from '../protection/slots/open-subscriptions.js';

interface OpenRegisters {
  readonly subscriptions: OpenSubscriptions;
  readonly connections: Connections;
  /** Members of a Tollgate of the platform: see `PlatformTollgate`. */
  readonly forPlatform: {
    readonly connections: Connections;
    streams(): StreamTotals;
    endStreams(): void;
  };
  /**
   * Ends the open subscriptions, then their connections, and then calls `close`. The subscriptions
   * end first, so that their clients receive the error that names the reason.
   */
  endingFirst(close: () => Promise<void>): Promise<void>;
}

type RegistersOptions = Omit<Parameters<typeof createConnections>[0], 'register' | 'limiter'> & {
  limiter: Parameters<typeof createConnections>[0]['limiter'] & Parameters<typeof createOpenSubscriptions>[0];
  /** Its members are set to read and end the registers. */
  streams: StreamsSource;
};

/** Opens the registers of the subscriptions and connections that are open in this process. */
export function openRegisters(options: RegistersOptions): OpenRegisters {
  const subscriptions = createOpenSubscriptions(options.limiter);
  const register = createOpenSubscriptions(options.limiter);
  const connections = createConnections({ ...options, register });
  const { events } = subscriptions;
  const totals = () => ({ connections: connections.count, subscriptions: subscriptions.count, events });
  Object.assign(options.streams, {
    totals,
    list: () => [...subscriptions.list(), ...register.list()],
    end(filter, beforeMs) {
      subscriptions.endMatching(filter, beforeMs);
      // The subscriptions have sent their errors by then.
      setImmediate(() => register.endMatching(filter, beforeMs));
    },
  } satisfies StreamsSource);
  function endStreams(): void {
    subscriptions.endAll();
    register.endAll();
  }

  return {
    subscriptions,
    connections,
    forPlatform: {
      connections,
      streams: totals,
      endStreams,
    },
    endingFirst(close) {
      endStreams();
      return close();
    },
  };
}
