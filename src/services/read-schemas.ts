import { buildSchema, type GraphQLSchema } from 'graphql';
import type { Queryable } from '../postgres/db.js';
import { readPublishedSchema, readServices } from './published-service.js';

/**
 * Returns the schemas that servers have published, without their prices. Schemas that cannot be
 * read are omitted.
 */
export async function readSchemas(db: Queryable): Promise<GraphQLSchema[]> {
  const schemas: GraphQLSchema[] = [];
  for (const { name } of await readServices(db)) {
    const published = await readPublishedSchema(db, name);
    if (!published) continue;
    try {
      schemas.push(buildSchema(published.sdl, { assumeValidSDL: true }));
    } catch {
      // Another version published it in an unreadable form.
    }
  }
  return schemas;
}
