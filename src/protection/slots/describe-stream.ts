import { randomBytes } from 'node:crypto';
import type { CallerNames, OpenStream } from '../../model/open-stream.js';
import type { Subject } from '../../model/subject.js';
import { keptName } from '../../runtime/stored-text.js';

const PROCESS = randomBytes(9).toString('base64url');
let opened = 0;

/** Describes a subscription or WebSocket that opens now. */
export function describeStream(
  subject: Subject,
  stream: Pick<OpenStream, 'kind'> & Partial<Pick<OpenStream, 'operation' | 'client' | 'transport' | 'cost'>>,
): OpenStream {
  return {
    id: `${PROCESS}.${++opened}`,
    kind: stream.kind,
    operation: kept(stream.operation),
    client: kept(stream.client),
    transport: stream.transport,
    sinceMs: Date.now(),
    events: 0,
    cost: stream.cost ?? 0,
    ...callerNames(subject),
  };
}

export function callerNames({ user, tenant, apiKey, ip }: Subject): CallerNames {
  return { user: kept(user), tenant: kept(tenant), apiKey: kept(apiKey), ip: kept(ip) };
}

function kept(name: string | undefined): string | undefined {
  return name === undefined ? undefined : keptName(name);
}
