// This import must come first: the decorators of the modules below need it when they load.
import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import type { AdminSources } from './context/admin-sources.js';
import { guardOperations } from './context/check-role.js';
import { AdminTokenResolver } from './resolvers/admin-token-resolver.js';
import { ApiKeyResolver } from './resolvers/api-key-resolver.js';
import { CallerResolver } from './resolvers/caller-resolver.js';
import { ChangeResolver } from './resolvers/change-resolver.js';
import { ConsoleSessionResolver } from './resolvers/console-session-resolver.js';
import { DemoTrafficResolver } from './resolvers/demo-traffic-resolver.js';
import { DenialResolver, ViolationResolver } from './resolvers/denial-resolver.js';
import { DocumentVersionResolver, RegisteredDocumentResolver } from './resolvers/document-version-resolver.js';
import { HealthResolver } from './resolvers/health-resolver.js';
import { LiveResolver } from './resolvers/live-resolver.js';
import { OpenStreamResolver } from './resolvers/open-stream-resolver.js';
import { PlatformResolver } from './resolvers/platform-resolver.js';
import { PolicyResolver } from './resolvers/policy-resolver.js';
import { QuotaResolver } from './resolvers/quota-resolver.js';
import { RuleEffectResolver } from './resolvers/rule-effect-resolver.js';
import { RuleResolver } from './resolvers/rule-resolver.js';
import { SchemaFieldResolver } from './resolvers/schema-field-resolver.js';
import { SchemaRefreshResolver } from './resolvers/schema-refresh-resolver.js';
import { SimulationResolver } from './resolvers/simulation-resolver.js';
import { SubjectResolver } from './resolvers/subject-resolver.js';
import { TierResolver } from './resolvers/tier-resolver.js';
import { TopOperationResolver } from './resolvers/top-operation-resolver.js';
import { UsageResolver } from './resolvers/usage-resolver.js';
import { toClientError } from './schema/to-client-error.js';
import { AdminTokenType } from './types/admin-token-type.js';
import { markOneOf } from './types/rule-limit-input.js';

export interface AdminSchemaOptions extends AdminSources {
  /** Called with every failure whose cause is hidden from callers. @default none */
  onError?: ((error: unknown) => void) | undefined;
}

const RESOLVERS = [
  TierResolver,
  RuleResolver,
  PolicyResolver,
  SimulationResolver,
  SubjectResolver,
  CallerResolver,
  QuotaResolver,
  RuleEffectResolver,
  DenialResolver,
  ViolationResolver,
  ChangeResolver,
  ApiKeyResolver,
  AdminTokenResolver,
  ConsoleSessionResolver,
  UsageResolver,
  TopOperationResolver,
  PlatformResolver,
  SchemaFieldResolver,
  DocumentVersionResolver,
  RegisteredDocumentResolver,
  HealthResolver,
  LiveResolver,
  OpenStreamResolver,
  DemoTrafficResolver,
  SchemaRefreshResolver,
] as const;

/**
 * Creates the schema of the admin API. Its operations need an `AdminContext` as their context
 * value.
 */
export function createAdminSchema({ onError = () => {}, ...sources }: AdminSchemaOptions): GraphQLSchema {
  // The map holds the resolvers of this schema only, so that two schemas in one process do not
  // interfere.
  const resolvers = new Map<unknown, object>(RESOLVERS.map((Resolver) => [Resolver, new Resolver(sources)]));
  async function hideFailures<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      const clientError = toClientError(error);
      if (clientError.originalError) onError(clientError.originalError);
      throw clientError;
    }
  }
  const schema = buildSchemaSync({
    resolvers: [...RESOLVERS],
    orphanedTypes: [AdminTokenType],
    globalMiddlewares: [(_, next) => hideFailures(next)],
    container: { get: (type: unknown) => resolvers.get(type) },
    // TypeGraphQL requires `pubSub` if there are subscriptions. No subscription uses it, because
    // `subscribe` is set below.
    pubSub: { publish() {}, subscribe: async function* () {} },
    // The store validates inputs. Its errors do not repeat secret values.
    validate: false,
  });
  markOneOf(schema);
  // TypeGraphQL has no option for the descriptions of the root types.
  schema.getQueryType()!.description = 'Queries of the admin API. Queries change nothing.';
  schema.getMutationType()!.description =
    'Mutations of the admin API. Each change is recorded with its author and is in force everywhere within two seconds.';
  const subscriptions = schema.getSubscriptionType()!;
  subscriptions.description = 'Subscriptions of the admin API, as server-sent events at `/admin/graphql/stream`.';
  const live = resolvers.get(LiveResolver) as LiveResolver;
  subscriptions.getFields()['liveTraffic']!.subscribe = () => live.samples();
  guardOperations(schema, { store: sources.store, around: hideFailures });
  return schema;
}
