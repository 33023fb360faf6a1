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

/** Streams at once of each who has not the token of the settings. */
const STREAMS_PER_TOKEN = 5;

export function createAdminStreams({ access, protection, ...options }: AdminStreamsOptions): GraphqlStreams {
  const { door, authenticate, senderOf } = access;
  return createGraphqlStreams({
    ...options,
    chargeFee: (request) => protection.chargeFee(senderOf(request)),
    async recheck(request) {
      const before = door.callerOf(request);
      const { actor, role } = await authenticate(request);
      if (actor.name !== before.actor.name || role !== before.role) throw unauthenticated();
    },
    // With the token of the settings one can look at what goes on, however many others do.
    holderOf(request) {
      const { actor, isFromSettings = false } = door.callerOf(request);
      return { name: actor.name, maxStreams: isFromSettings ? 20 : STREAMS_PER_TOKEN, isApart: isFromSettings };
    },
  });
}
