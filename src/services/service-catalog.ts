import { LRUCache } from 'lru-cache';
import type { Queryable } from '../postgres/db.js';
import { type PricedSchema, restoreSchema } from './published-schema.js';
import { type PublishedService, readPublishedSchema, readServices } from './published-service.js';

interface ServiceCatalogOptions<Api> {
  db: Queryable;
  /** API that this process protects, and its name. Undefined if it protects none. */
  own: { service: string | undefined; api(): Api } | undefined;
  /** Builds the API from a schema that another process has published. */
  describe(priced: PricedSchema, service: string): Api;
  /**
   * Called by `apiOf` before it returns an API of another process, to load further data about it.
   * @default none
   */
  beforehand?(): Promise<unknown>;
  /** Maximum number of built schemas; the least recently used one is dropped. @default 10 */
  maxSchemas?: number;
}

/**
 * The APIs that share a database: that of this process, and those whose servers have published
 * their schemas.
 */
export interface ServiceCatalog<Api> {
  /** Returns the published services, ordered by name. */
  services(): Promise<PublishedService[]>;
  /**
   * Returns the API of a service.
   * @param service name of the service. Without a name, the result is the API of this process. If
   * this process protects none, it is the only published API
   * @throws UnknownServiceError if no API or more than one matches, or if the published schema
   * cannot be read
   */
  apiOf(service?: string | null): Promise<Api>;
  /** Returns all APIs, that of this process first. APIs that cannot be read are omitted. */
  all(): Promise<Api[]>;
}

/**
 * Error of `apiOf`: no API or more than one matches, or the published schema cannot be read. The
 * message is returned to the client.
 */
export class UnknownServiceError extends Error {}

export function createServiceCatalog<Api extends object>(options: ServiceCatalogOptions<Api>): ServiceCatalog<Api> {
  const { db, own, describe, beforehand, maxSchemas = 10 } = options;
  /**
   * APIs by service and hash. An unchanged schema is not read again. A changed schema has another
   * hash.
   */
  const built = new LRUCache<string, Promise<Api>>({ max: maxSchemas });

  function build({ name, hash }: PublishedService): Promise<Api> {
    const key = `${name} ${hash}`;
    const known = built.get(key);
    if (known) return known;
    const building = read(name).then((read) => {
      // Another schema was published in the meantime, so the API belongs under the hash of the
      // newer schema.
      if (read.hash !== hash) {
        built.delete(key);
        built.set(`${name} ${read.hash}`, building);
      }
      return read.api;
    });
    built.set(key, building);
    building.catch(() => built.delete(key));
    return building;
  }

  async function read(name: string): Promise<{ hash: string; api: Api }> {
    const published = await readPublishedSchema(db, name);
    if (!published) throw new UnknownServiceError(`service: ${JSON.stringify(name)} no longer exists`);
    let priced: PricedSchema;
    try {
      priced = restoreSchema(published);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UnknownServiceError(
        `service: the schema that ${JSON.stringify(name)} has published cannot be read: ${reason}`,
      );
    }
    return { hash: published.hash, api: describe(priced, name) };
  }

  return {
    services: () => readServices(db),

    async apiOf(service) {
      const name = service ?? own?.service;
      if (own && name === own.service) return own.api();
      const services = await readServices(db);
      const [only] = services;
      const found =
        name === undefined ? (services.length === 1 ? only : undefined) : services.find((one) => one.name === name);
      if (found) {
        await beforehand?.();
        return build(found);
      }
      throw new UnknownServiceError(whatIsExpected(services, name));
    },

    async all() {
      const others = (await readServices(db)).filter(({ name }) => !own || name !== own.service);
      const settled = await Promise.allSettled(others.map(build));
      const read = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      return own ? [own.api(), ...read] : read;
    },
  };
}

function whatIsExpected(services: readonly PublishedService[], got: string | undefined): string {
  if (services.length === 0) {
    return 'service: no server has published its schema yet; a server with `createTollgate({ service, postgres })` does so';
  }
  const names = services.map(({ name }) => JSON.stringify(name)).join(', ');
  return `service: expected one of ${names}, got ${got === undefined ? 'none' : JSON.stringify(got)}`;
}
