import type { Gauge, Registry } from 'prom-client';
import { type AddressUsers, MAX_USER_HASHES } from '../live/address-users.js';

/**
 * Registers the number of users of the address with the most users. The metric has no label for the
 * address, because every address would create a separate series. `addresses` of the admin API
 * returns them.
 */
export function showSharedAddresses(registry: Registry, addressUsers: Pick<AddressUsers, 'mostUsers'>): void {
  const name = 'tollgate_most_users_per_address';
  const help = `Number of identified users that sent operations to this process from the same address in the last half hour to hour, of the address with the most users. Exact below ${MAX_USER_HASHES}; from there on an estimate, with a standard error of 13 %. It does not name the address: addresses of the admin API does.`;
  const get = async () => {
    const values = [{ value: addressUsers.mostUsers, labels: {} }];
    return { name, help, type: 'gauge', aggregator: 'max', values };
  };
  registry.registerMetric({ name, help, type: 'gauge', labelNames: [], get } as unknown as Gauge);
}
