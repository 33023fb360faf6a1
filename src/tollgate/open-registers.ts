import { type Connections, createConnections } from '../protection/connections/create-connections.js';
import { createOpenSubscriptions, type OpenSubscriptions } from '../protection/slots/open-subscriptions.js';

interface OpenRegisters {
  readonly subscriptions: OpenSubscriptions;
  readonly connections: Connections;
  /**
   * Ends the open subscriptions, then their connections. The subscriptions end first, so that their
   * clients receive the error that names the reason.
   */
  endAll(): void;
  /** Calls `endAll`, and then `close`. */
  endingFirst(close: () => Promise<void>): Promise<void>;
}

type RegistersOptions = Omit<Parameters<typeof createConnections>[0], 'register' | 'limiter'> & {
  limiter: Parameters<typeof createConnections>[0]['limiter'] & Parameters<typeof createOpenSubscriptions>[0];
};

/** Opens the registers of the subscriptions and connections that are open in this process. */
export function openRegisters(options: RegistersOptions): OpenRegisters {
  const subscriptions = createOpenSubscriptions(options.limiter);
  const register = createOpenSubscriptions(options.limiter);
  const endAll = () => {
    subscriptions.endAll();
    register.endAll();
  };
  return {
    endAll,
    subscriptions,
    connections: createConnections({ ...options, register }),
    endingFirst(close) {
      endAll();
      return close();
    },
  };
}
