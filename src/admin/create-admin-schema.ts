// First: the decorators of the modules below need it when they are loaded.
import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import type { RulesStore } from '../rules/store.js';
import { type QuotaOf, QuotaResolver } from './quota-resolver.js';
import { TierResolver } from './tier-resolver.js';

export interface AdminSchemaOptions {
  store: RulesStore;
  quotaOf: QuotaOf;
}

/** The schema of the admin API. Its operations need an `AdminContext` as their context value. */
export function createAdminSchema({ store, quotaOf }: AdminSchemaOptions): GraphQLSchema {
  const tierResolver = new TierResolver(store);
  const quotaResolver = new QuotaResolver(store, quotaOf);
  const resolvers = new Map<unknown, object>([
    [TierResolver, tierResolver],
    [QuotaResolver, quotaResolver],
  ]);
  const schema = buildSchemaSync({
    resolvers: [TierResolver, QuotaResolver],
    // The resolvers of this schema and no others: two schemas in one process do not meet.
    container: { get: (type: unknown) => resolvers.get(type) },
    // Inputs are validated by the services, whose errors do not repeat what must stay secret.
    validate: false,
  });
  // TypeGraphQL offers no place for the descriptions of the roots.
  schema.getQueryType()!.description = 'What an administrator can look up. Nothing here changes anything.';
  schema.getMutationType()!.description =
    'What an administrator can change. Each change is recorded with its author and is in force at once.';
  return schema;
}
