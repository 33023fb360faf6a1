import type { DecideRequest } from './decide-request.js';
import { lowerCased } from './lower-cased.js';

type SentHeaders = Pick<DecideRequest, 'headers' | 'app' | 'appVersion'>;

/** Returns the headers of a request, in lower case. `app` and `appVersion` replace those of the client. */
export function decisionHeaders({ headers, app, appVersion }: SentHeaders): Record<string, string> | undefined {
  const sent = headers && lowerCased(headers);
  if (app === undefined && appVersion === undefined) return sent;
  return {
    ...sent,
    ...(app !== undefined && { 'apollographql-client-name': app }),
    ...(appVersion !== undefined && { 'apollographql-client-version': appVersion }),
  };
}
