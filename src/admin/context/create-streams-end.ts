import { z } from 'zod';
import { STREAM_KINDS, type StreamFilter } from '../../model/open-stream.js';
import type { LiveTraffic } from '../../observability/live/live-traffic.js';
import { namedCaller } from '../../observability/live/named-caller.js';
import { oneOf, text } from '../../rules/policy/validators.js';
import {
  changeOptions,
  done,
  type Outcome,
  rejected,
  toUserErrors,
  type UserError,
} from '../../rules/store/outcome.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import { subjectKeyFields } from '../../rules/store/subject-key.js';
import { toPlain } from '../schema/change-input.js';
import type { OpenStreamsEndInput } from '../types/open-stream-type.js';
import type { AdminContext } from './admin-context.js';

interface EndStreamsSources {
  store: Pick<RulesStore, 'recordCallerAction'>;
  openStreams: LiveTraffic['openStreams'];
}

const inputSchema = z.strictObject({
  ...subjectKeyFields,
  id: text(1, 64).optional(),
  kind: oneOf(STREAM_KINDS).optional(),
  apiKey: text(1, 100).optional(),
  ip: text(1, 100).optional(),
  operation: text(1, 1000).optional(),
  ...changeOptions,
});

const OPTIONAL = ['id', 'kind', 'user', 'tenant', 'apiKey', 'ip', 'operation', 'comment'];

/**
 * Creates the function that ends open streams. All processes follow the record of changes, and end
 * the streams when they read the entry. So the entry names who ended them, and no process misses it.
 */
export function createStreamsEnd({ store, openStreams }: EndStreamsSources) {
  return async (input: OpenStreamsEndInput, { actor }: AdminContext): Promise<Outcome<{ ended: number }>> => {
    const { comment, dryRun, ...filter } = toPlain<StreamFilter & { comment?: string; dryRun?: boolean }>(
      input,
      OPTIONAL,
    );
    const errors = check({ ...filter, comment, dryRun });
    if (errors.length > 0) return rejected(errors);
    const found = await openStreams({ filter, limit: 1 });
    const [first] = found.streams;
    if (filter.id !== undefined && first === undefined) return rejected([notOpen()]);
    const effects = {
      differences: [],
      warnings: first === undefined ? [`none of the ${found.processes} processes has reported such a stream`] : [],
    };
    const result = { ended: found.count };
    if (dryRun) return done(result, effects);
    const { user, tenant, apiKey, ip } = filter.id === undefined ? filter : namedCaller(first!);
    const key = Object.fromEntries(
      Object.entries({ user, tenant, apiKey, ip }).filter(([, name]) => name !== undefined),
    );
    await store.recordCallerAction(
      {
        action: 'END_STREAMS',
        key,
        data: { ended: found.filter },
        comment,
        before: { ...key, openStreams: found.count },
        after: { ...key, openStreams: 0 },
      },
      actor,
    );
    return done(result, effects);
  };
}

function check(input: StreamFilter & { comment?: string | undefined; dryRun?: boolean | undefined }): UserError[] {
  const { error } = inputSchema.safeParse(input);
  if (error) return toUserErrors(error);
  const { id, kind, user, tenant, apiKey, ip, operation } = input;
  const names = [user, tenant, apiKey, ip].filter((name) => name !== undefined).length;
  if (id !== undefined && (names > 0 || kind !== undefined || operation !== undefined))
    return [invalid('id', 'the id names one stream, so omit all other conditions')];
  if (apiKey !== undefined && (user !== undefined || tenant !== undefined))
    return [invalid('apiKey', 'an API key implies its user and tenant, so omit them')];
  if (kind === 'CONNECTION' && operation !== undefined)
    return [invalid('operation', 'a WebSocket has no operation, so omit it')];
  if (id !== undefined || names > 0) return [];
  return [{ code: 'INVALID', field: [], message: 'expected an id, a user, a tenant, an API key or an address' }];
}

function invalid(field: string, message: string): UserError {
  return { code: 'INVALID', field: [field], message };
}

function notOpen(): UserError {
  return { code: 'NOT_FOUND', field: ['id'], message: 'no open stream with this id was reported: it may have ended' };
}
