import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import type { GraphQLFormattedError } from 'graphql';
import { createTextCache, type SizedCache } from '../runtime/sized-cache.js';
import { formatError } from './format-error.js';

const MAX_VALIDATION_ERRORS = 20;
const PERSISTED_QUERY_BYTES = 8 * 2 ** 20;

/**
 * Returns the Apollo Server options that all APIs served here share. `production` removes hints
 * from errors. By default, `persistedTexts` is a cache in this process.
 */
export function apolloOptions({
  production,
  persistedTexts = createTextCache(PERSISTED_QUERY_BYTES),
}: {
  production: boolean;
  persistedTexts?: SizedCache<string>;
}) {
  return {
    csrfPrevention: true,
    allowBatchedHttpRequests: false, // The HTTP layer splits batches.
    persistedQueries: { cache: persistedTexts },
    includeStacktraceInErrorResponses: false,
    // graphql-js would compute suggestions for up to 100 errors, although production mode removes
    // them.
    validationOptions: { maxErrors: MAX_VALIDATION_ERRORS, hideSuggestions: production },
    hideSchemaDetailsFromClientErrors: production,
    stopOnTerminationSignals: false,
    formatError: (formatted: GraphQLFormattedError, error: unknown) => formatError(formatted, { error, production }),
  };
}

/**
 * Returns the plugin for the page that browsers see at the address of an API. It replaces Apollo's
 * own page, which loads scripts from other servers.
 *
 * @param html undefined for no page
 */
export function landingPage(html: string | undefined): ApolloServerPlugin[] {
  if (html === undefined) return [ApolloServerPluginLandingPageDisabled()];
  return [{ serverWillStart: async () => ({ renderLandingPage: async () => ({ html }) }) }];
}
