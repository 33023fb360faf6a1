import type { IncomingMessage } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { findSchemaMistakes } from '../cost/find-schema-mistakes.js';
import { COST_ANALYZER_OPTIONS } from '../cost/settings/cost-analyzer-options.js';
import type { Logger } from '../model/logger.js';
import { findMistakes, type OptionTable } from '../options/find-mistakes.js';
import { loggerOption } from '../options/logger-option.js';
import { anything, callback, checkedBy, listOf, optionsOf } from '../options/option-kinds.js';
import { findPolicyMistakes } from '../rules/policy/parse-policy.js';
import { serviceName } from '../services/service-name.js';
import type { Tollgate } from '../tollgate/create-tollgate.js';
import type { TollgateOptions } from '../tollgate/tollgate-options.js';
import type { ApiContext } from './api-context.js';
import type { Config } from './config/config.js';
import { configOption } from './config/config-option.js';

export interface StartServerOptions
  extends Pick<TollgateOptions<ApiContext>, 'tiers' | 'rules' | 'cost' | 'mayReportCost' | 'service'> {
  /**
   * API that is served at `/graphql`, with its resolvers. Callers are identified by API key, token
   * or address.
   * @default none: only the admin API and the console
   */
  schema?: GraphQLSchema;
  /**
   * Returns the context of a request for the resolvers, in addition to `subject` and `clientGone`.
   * @default no further members
   */
  context?(request: IncomingMessage): object | Promise<object>;
  /** Configuration of the server. @default loadConfig(): from the environment */
  config?: Config;
  /** Called before the first request is accepted. */
  prepare?(tollgate: Tollgate<ApiContext>): Promise<void>;
  /**
   * A pino logger, or a compatible one.
   * @default JSON lines in pino's form, to standard output
   */
  logger?: Logger;
}

const START_SERVER_OPTIONS: OptionTable<StartServerOptions> = {
  schema: checkedBy(findSchemaMistakes),
  context: callback('(request) => ({ session: request.headers.cookie })'),
  config: configOption,
  prepare: callback('async (tollgate) => {}'),
  logger: loggerOption,
  tiers: listOf(anything),
  rules: listOf(anything),
  cost: optionsOf(COST_ANALYZER_OPTIONS),
  mayReportCost: callback('({ user }) => user === "ann"'),
  service: serviceName,
};

/** Finds every mistake in the options. At run time, an option may have any value. */
export function* findServerMistakes(options: StartServerOptions): Iterable<string> {
  yield* findMistakes(options, START_SERVER_OPTIONS);
  yield* findPolicyMistakes(options);
}
