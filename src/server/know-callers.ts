import type { IncomingMessage } from 'node:http';
import { answerRejected } from '../any-server/answer-rejected.js';
import type { RejectRequest } from '../http/reject-request.js';
import { type AddressOf, createAddressOf } from '../identity/address-of.js';
import { createProtocolOf, type ProtocolOf } from '../identity/protocol-of.js';
import type { Subject } from '../model/subject.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import type { PlatformTollgate } from '../tollgate/create-tollgate.js';
import type { ApiContext } from './api-context.js';
import type { Config } from './config/config.js';

interface KnownCallers {
  /** Returns the full address. Limits use only the network of an IPv6 address. */
  addressOf: AddressOf;
  protocolOf: ProtocolOf;
  /** Resolves to the caller. Rejects with the error of the request. */
  identify(request: IncomingMessage): Promise<Subject>;
  reject: RejectRequest;
}

/**
 * Creates functions that identify the caller of each request only once, even if they are called
 * several times.
 */
export function knowCallers(
  { callers, protect }: Pick<PlatformTollgate<ApiContext>, 'callers' | 'protect'>,
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
): KnownCallers {
  const found = createObjectNotes<IncomingMessage, Promise<Subject>>();
  function identify(request: IncomingMessage): Promise<Subject> {
    let subject = found.get(request);
    if (subject === undefined) {
      subject = callers.ofRequest(request);
      found.set(request, subject);
    }
    return subject;
  }
  return {
    addressOf: createAddressOf(trustedProxies, { ipv6Prefix: 128 }),
    protocolOf: createProtocolOf(trustedProxies),
    identify,
    async reject(request, errors) {
      // An invalid credential identifies no caller, so the address of the client pays the fee.
      const anonymous = () => {
        const ip = callers.addressOf(request);
        return ip === undefined ? {} : { ip };
      };
      const contextValue = { subject: await identify(request).catch(anonymous) } as ApiContext;
      return answerRejected(protect, { rejection: errors, headers: request.headers, contextValue });
    },
  };
}
