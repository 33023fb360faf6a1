import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import type { GraphQLFormattedError } from 'graphql';
import { createTextCache, type SizedCache } from '../runtime/sized-cache.js';
import { formatError } from './format-error.js';

const MAX_VALIDATION_ERRORS = 20;
const PERSISTED_QUERY_BYTES = 8 * 2 ** 20;

/**
 * What all APIs served here have in common. `production` takes hints out of errors;
 * `persistedTexts` are kept by this process alone unless others are given.
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
    allowBatchedHttpRequests: false, // The HTTP layer takes batches apart.
    persistedQueries: { cache: persistedTexts },
    includeStacktraceInErrorResponses: false,
    // For each of its hundred errors graphql-js would look for the name that was meant; production takes them out again.
    validationOptions: { maxErrors: MAX_VALIDATION_ERRORS, hideSuggestions: production },
    hideSchemaDetailsFromClientErrors: production,
    stopOnTerminationSignals: false,
    formatError: (formatted: GraphQLFormattedError, error: unknown) => formatError(formatted, { error, production }),
  };
}

/**
 * What a browser is shown at the address of an API. Apollo's own page loads scripts from elsewhere.
 *
 * @param html undefined: nothing
 */
export function landingPage(html: string | undefined): ApolloServerPlugin[] {
  if (html === undefined) return [ApolloServerPluginLandingPageDisabled()];
  return [{ serverWillStart: async () => ({ renderLandingPage: async () => ({ html }) }) }];
}
