import type { IncomingMessage } from 'node:http';
import { answerRejected } from '../any-server/answer-rejected.js';
import type { RejectRequest } from '../http/reject-request.js';
import { type AddressOf, createAddressOf, warnOfProxy } from '../identity/address.js';
import type { IgnoredCredentials } from '../identity/credential.js';
import { createIdentifier } from '../identity/identify-request.js';
import { createProtocolOf, type ProtocolOf } from '../identity/protocol.js';
import type { Logger } from '../model/logger.js';
import type { Subject } from '../model/subject.js';
import type { SubjectCache } from '../rules/live/subject-cache.js';
import type { Tollgate } from '../tollgate/create-tollgate.js';
import type { ApiContext } from './api-context.js';
import type { Config } from './config/config.js';

interface KnownCallers {
  /** Returns the whole address; callers are counted by another form of it. */
  addressOf: AddressOf;
  protocolOf: ProtocolOf;
  /** Rejects with what the caller did wrong. */
  identify(request: IncomingMessage): Promise<Subject>;
  reject: RejectRequest;
}

/** Knows callers by API key, token or address, as the settings say. */
export async function knowCallers(
  tollgate: Pick<Tollgate<ApiContext>, 'subjects' | 'protect'>,
  { trustedProxies, ipv6Prefix, jwt }: Pick<Config, 'trustedProxies' | 'ipv6Prefix' | 'jwt'>,
  logger: Pick<Logger, 'warn'>,
  ignored?: IgnoredCredentials,
): Promise<KnownCallers> {
  const onUntrusted = warnOfProxy(logger, 'TOLLGATE_TRUSTED_PROXIES or --trusted-proxies');
  const countedAddressOf = createAddressOf(trustedProxies, { ipv6Prefix, onUntrusted });
  // What verifies tokens takes a twentieth of a start to load.
  const verifyToken = jwt && (await (await import('../identity/json-web-token.js')).createTokenVerifier(jwt));
  const identifySender = createIdentifier({
    subjects: tollgate.subjects as SubjectCache,
    verifyToken,
    ...(ignored && { ignored }),
  });
  const identify = (request: IncomingMessage) =>
    identifySender({ header: (name) => request.headers[name]?.toString(), ip: countedAddressOf(request) });
  return {
    addressOf: createAddressOf(trustedProxies, { ipv6Prefix: 128 }),
    protocolOf: createProtocolOf(trustedProxies),
    identify,
    async reject(request, errors) {
      // A bad credential names no caller: the address that sent it pays.
      const anonymous = () => {
        const ip = countedAddressOf(request);
        return ip === undefined ? {} : { ip };
      };
      const subject = await identify(request).catch(anonymous);
      const { headers } = request;
      return answerRejected(tollgate.protect, { rejection: errors, headers, contextValue: { subject } as ApiContext });
    },
  };
}
