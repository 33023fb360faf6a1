import type { GraphQLSchema } from 'graphql';
import { unauthenticated } from './context/create-admin-authenticator.js';
import type { AdminAccess } from './create-admin-access.js';
import type { AdminProtection } from './create-admin-protection.js';
import { createGraphqlStreams, type GraphqlStreamOptions, type GraphqlStreams } from './http/create-graphql-streams.js';

interface AdminStreamsOptions extends Pick<GraphqlStreamOptions, 'context' | 'onError'> {
  schema: GraphQLSchema;
  access: AdminAccess;
  protection: AdminProtection;
}

/** Maximum number of concurrent streams of each token, except for the token of the settings. */
const STREAMS_PER_TOKEN = 5;

export function createAdminStreams({ access, protection, ...options }: AdminStreamsOptions): GraphqlStreams {
  const { guard, authenticate, senderOf } = access;
  return createGraphqlStreams({
    ...options,
    chargeFee: (request) => protection.chargeFee(senderOf(request)),
    async recheck(request) {
      const before = guard.callerOf(request);
      const { actor, role } = await authenticate(request);
      if (actor.name !== before.actor.name || role !== before.role) throw unauthenticated();
    },
    // The token of the settings has separate slots, so that its holder can open streams even if
    // others have opened all shared streams.
    holderOf(request) {
      const { actor, isFromSettings = false } = guard.callerOf(request);
      return { name: actor.name, maxStreams: isFromSettings ? 20 : STREAMS_PER_TOKEN, isApart: isFromSettings };
    },
  });
}
