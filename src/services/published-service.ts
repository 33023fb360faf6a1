import type { Queryable } from '../postgres/db.js';
import type { PublishedSchema } from './published-schema.js';

/** A service whose schema is published. */
export interface PublishedService {
  name: string;
  hash: string;
  publishedAt: Date;
}

/**
 * Publishes a schema, unless it is unchanged. If several servers of one service publish different
 * schemas, the last one replaces the others.
 */
export async function publishSchema(db: Queryable, { service, hash, sdl, prices }: PublishedSchema): Promise<void> {
  await db.query(
    `insert into service_schemas (service, hash, sdl, prices) values ($1, $2, $3, $4::jsonb)
     on conflict (service) do update
       set hash = excluded.hash, sdl = excluded.sdl, prices = excluded.prices, published_at = now()
       where service_schemas.hash <> excluded.hash`,
    [service, hash, sdl, JSON.stringify(prices)],
  );
}

/** Returns the services whose schemas are published, ordered by name. */
export async function readServices(db: Queryable): Promise<PublishedService[]> {
  return db.query<{ name: string; hash: string; publishedAt: Date }>(
    `select service as name, hash, published_at as "publishedAt" from service_schemas order by service`,
  );
}

/** Returns the published schema, or null if none has this name. */
export async function readPublishedSchema(db: Queryable, service: string): Promise<PublishedSchema | null> {
  const [row] = await db.query<PublishedSchema>(
    'select service, hash, sdl, prices from service_schemas where service = $1',
    [service],
  );
  return row ?? null;
}
