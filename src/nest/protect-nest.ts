import type { GraphQLSchema } from 'graphql';
import type { ProtectedExecution } from '../any-server/protect-execution.js';
import type { TollgatePlugin } from '../apollo/tollgate-plugin.js';
import { createTollgate, type Tollgate } from '../tollgate/create-tollgate.js';
import type { TollgateOptions } from '../tollgate/tollgate-options.js';
import { useTollgate as hooksOfYoga } from '../yoga/use-tollgate.js';
import type { YogaPlugin } from '../yoga/yoga-plugin.js';

/**
 * Options of `GraphQLModule.forRoot`, for the driver of Apollo Server or of GraphQL Yoga. Options
 * that are not listed here are passed on unchanged.
 */
export interface NestDriverOptions {
  /** Class of the driver. */
  driver?: unknown;
  plugins?: readonly unknown[];
  transformSchema?: (schema: GraphQLSchema) => GraphQLSchema | Promise<GraphQLSchema>;
  subscriptions?: unknown;
}

/** Options of `createTollgate` without the schema, which Nest builds. */
export interface NestTollgateOptions<Context extends object = object> extends Omit<TollgateOptions<Context>, 'schema'> {
  /** Receives the Tollgate, which is created after Nest has built the schema. */
  onCreated?: (tollgate: Tollgate<Context>) => void;
}

/** Objects that are created after Nest has built the schema. */
interface Created<Context extends object> {
  tollgate: Tollgate<Context>;
  apollo: TollgatePlugin<Context>;
  yoga: YogaPlugin;
  /**
   * Protected execution for WebSockets; undefined without `subscriptions['graphql-ws']`, or with
   * the Yoga driver.
   */
  execution: ProtectedExecution | undefined;
}

/**
 * Protects the GraphQL module of NestJS, with the driver of Apollo Server or of GraphQL Yoga. Nest
 * first builds the schema and then the server. `protectNest` creates Tollgate between these steps,
 * with the final schema. It closes Tollgate when Apollo Server stops. With the driver of Yoga,
 * close the Tollgate that `onCreated` receives.
 *
 * @returns the options of the driver, with Tollgate
 * @example
 * GraphQLModule.forRoot<ApolloDriverConfig>(
 *   protectNest({ driver: ApolloDriver, autoSchemaFile: true }, { mode: 'SHADOW' }),
 * )
 */
export function protectNest<Options extends NestDriverOptions, Context extends object = object>(
  driverOptions: Options,
  { onCreated, ...options }: NestTollgateOptions<Context> = {},
): Options {
  let created: Created<Context> | undefined;
  const sockets = socketsOf(driverOptions, () => now().execution!);

  async function transformSchema(schema: GraphQLSchema): Promise<GraphQLSchema> {
    const served = (await driverOptions.transformSchema?.(schema)) ?? schema;
    const before = created;
    const tollgate = await createTollgate<Context>({ ...options, schema: served });
    created = {
      tollgate,
      apollo: tollgate.plugin(),
      yoga: hooksOfYoga(tollgate),
      execution: sockets && tollgate.execution(),
    };
    await before?.tollgate.close();
    onCreated?.(tollgate);
    return served;
  }

  function now(): Created<Context> {
    if (created) return created;
    throw new Error('protectNest: the server started before Nest called transformSchema, so nothing protects it');
  }

  /** Plugin with the hooks of both servers. Each server calls only its own hooks. */
  const plugin = {
    async serverWillStart(server: { schema: GraphQLSchema }) {
      const { apollo, tollgate } = now();
      const hooks = await apollo.serverWillStart(server);
      return { ...hooks, serverWillStop: () => tollgate.close() };
    },
    requestDidStart: (request: never) => now().apollo.requestDidStart(request),
    unexpectedErrorProcessingRequest: (failed: never) => now().apollo.unexpectedErrorProcessingRequest(failed),
    onPluginInit: ({ addPlugin }: { addPlugin(added: YogaPlugin): void }) => addPlugin(now().yoga),
  };

  return {
    ...driverOptions,
    transformSchema,
    plugins: [...(driverOptions.plugins ?? []), plugin],
    ...(sockets && { subscriptions: sockets }),
  };
}

/**
 * Returns the option `subscriptions` with protected execution for graphql-ws. Undefined without
 * that option, or for the Yoga driver, whose plugins also protect WebSockets.
 */
function socketsOf(
  { driver, subscriptions }: NestDriverOptions,
  execution: () => ProtectedExecution,
): object | undefined {
  const { 'graphql-ws': sockets, ...others } = (subscriptions ?? {}) as { 'graphql-ws'?: unknown };
  const isApollo = typeof driver === 'function' && driver.name.startsWith('Apollo');
  if (!sockets || !isApollo) return undefined;
  const hooks: ProtectedExecution = {
    execute: (args) => execution().execute(args),
    subscribe: (args) => execution().subscribe(args),
  };
  return { ...others, 'graphql-ws': { ...(sockets as object), ...hooks } };
}
