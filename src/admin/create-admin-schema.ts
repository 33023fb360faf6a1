// First: the decorators of the modules below need it when they are loaded.
import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, type MiddlewareFn } from 'type-graphql';
import type { RulesStore } from '../rules/store/rules-store.js';
import type { UsageReader } from '../usage/query/usage-reader.js';
import type { AdminCaller, AdminContext } from './admin-context.js';
import { createAdminLoaders } from './admin-loaders.js';
import { type AdminSources, createAdminService } from './admin-service.js';
import { AdminTokenType } from './callers/admin-token-types.js';
import { ApiKeyResolver } from './callers/api-key-resolver.js';
import { SubjectResolver } from './callers/subject-resolver.js';
import { LiveResolver } from './live-resolver.js';
import { PlatformResolver } from './platform/platform-resolver.js';
import { RuleResolver } from './rules/rule-resolver.js';
import { toClientError } from './schema/admin-errors.js';
import { TierResolver } from './tiers/tier-resolver.js';
import { UsageResolver } from './usage/usage-resolver.js';

export interface AdminSchemaOptions extends AdminSources {
  /** Told of every failure that callers are not told the reason of. @default nobody */
  onError?: ((error: unknown) => void) | undefined;
}

/** What one request of the admin API needs as its context value. */
export function createAdminContext(
  caller: AdminCaller,
  store: RulesStore,
  usage: Pick<UsageReader, 'ownerUsage' | 'levelOf'>,
): AdminContext {
  return { ...caller, loaders: createAdminLoaders(store, usage), usage };
}

/** The schema of the admin API. Its operations need an `AdminContext` as their context value. */
export function createAdminSchema({ onError = () => {}, ...sources }: AdminSchemaOptions): GraphQLSchema {
  const service = createAdminService(sources);
  const resolvers = new Map<unknown, object>([
    [TierResolver, new TierResolver(service)],
    [RuleResolver, new RuleResolver(service)],
    [SubjectResolver, new SubjectResolver(service, sources.quotaOf)],
    [ApiKeyResolver, new ApiKeyResolver(service)],
    [PlatformResolver, new PlatformResolver(service)],
    [UsageResolver, new UsageResolver(service)],
    [LiveResolver, new LiveResolver()],
  ]);
  const hideFailures: MiddlewareFn = async (_, next) => {
    try {
      return await next();
    } catch (error) {
      const told = toClientError(error);
      if (told.originalError) onError(told.originalError);
      throw told;
    }
  };
  const schema = buildSchemaSync({
    resolvers: [
      TierResolver,
      RuleResolver,
      SubjectResolver,
      ApiKeyResolver,
      PlatformResolver,
      UsageResolver,
      LiveResolver,
    ],
    orphanedTypes: [AdminTokenType],
    globalMiddlewares: [hideFailures],
    // The resolvers of this schema and no others: two schemas in one process do not meet.
    container: { get: (type: unknown) => resolvers.get(type) },
    // Asked for wherever there are subscriptions, and used by none: theirs is set below.
    pubSub: { publish() {}, subscribe: async function* () {} },
    // Inputs are validated by the services, whose errors do not repeat what must stay secret.
    validate: false,
  });
  // TypeGraphQL offers no place for the descriptions of the roots.
  schema.getQueryType()!.description = 'What an administrator can look up. Nothing here changes anything.';
  schema.getMutationType()!.description =
    'What an administrator can change. Each change is recorded with its author and is in force everywhere within two seconds.';
  // Behind the check of roles, like everything else.
  const subscriptions = schema.getSubscriptionType()!;
  subscriptions.description = 'What an administrator can watch, over server-sent events at `/admin/graphql/stream`.';
  subscriptions.getFields()['liveTraffic']!.subscribe = (_root, _args, context: AdminContext) =>
    service.liveTraffic(context);
  return schema;
}
