import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { createTextCache } from '../model/sized-cache.js';
import { hideDetails } from './http-error.js';

const MAX_VALIDATION_ERRORS = 20;
const PERSISTED_QUERY_BYTES = 8 * 2 ** 20;

/** What all APIs served here have in common. `production` takes hints out of errors and the landing page away. */
export function apolloOptions({ production }: { production: boolean }) {
  return {
    csrfPrevention: true,
    allowBatchedHttpRequests: false, // The HTTP layer takes batches apart.
    persistedQueries: { cache: createTextCache(PERSISTED_QUERY_BYTES) },
    includeStacktraceInErrorResponses: false,
    // For each of its hundred errors graphql-js would look for the name that was meant; production takes them out again.
    validationOptions: { maxErrors: MAX_VALIDATION_ERRORS, hideSuggestions: production },
    hideSchemaDetailsFromClientErrors: production,
    stopOnTerminationSignals: false,
    ...(production && { formatError: hideDetails }),
  };
}

export function landingPage({ production }: { production: boolean }) {
  return production ? [ApolloServerPluginLandingPageDisabled()] : [];
}
