import type { GraphQLError } from 'graphql';
import { clientNameOf, type RegisteredDocument } from '../documents/registered-documents.js';
import { requestError } from '../model/errors.js';
import type { Subject } from '../model/subject.js';
import { isPromise } from '../runtime/is-promise.js';
import type { OperationRequest } from './operation.js';
import type { Protection } from './protection.js';

type Registering = Pick<Protection<never>, 'registered' | 'documentPolicy' | 'ruleset' | 'mode'>;
type Requested = Pick<OperationRequest, 'registered' | 'documentHash' | 'header'>;

type Checked = RegisteredDocument | GraphQLError | undefined;

/**
 * Returns the registered document of a request; undefined if it is not registered. Returns an error
 * if the caller may send only registered documents. Returns a promise only if memory does not have
 * the document.
 */
export function checkRegistration(
  protection: Registering,
  request: Requested,
  subject: Subject,
): Checked | Promise<Checked> {
  const found = registrationOf(protection, request);
  const orRejection = (registered: RegisteredDocument | undefined) =>
    registered ?? rejectUnregistered(protection, subject);
  return isPromise(found) ? found.then(orRejection) : orRejection(found);
}

/** Returns the document of a request. A text counts as registered if a published version contains it. */
function registrationOf(
  { registered: documents, documentPolicy }: Registering,
  { registered, documentHash, header }: Requested,
): RegisteredDocument | undefined | Promise<RegisteredDocument | undefined> {
  if (registered || !documents || documentHash === undefined) return registered;
  const found = documents.find(documentHash, clientNameOf(header));
  // Without `ENFORCE`, an operation does not need a registration, so an outage must not reject it.
  if (!isPromise(found) || documentPolicy.unregistered === 'ENFORCE') return found;
  return found.catch(() => undefined);
}

/** Returns the error of a document that is not registered. The callers of some tiers may send any document. */
function rejectUnregistered(
  { documentPolicy, ruleset, mode }: Registering,
  subject: Subject,
): GraphQLError | undefined {
  if (documentPolicy.unregistered !== 'ENFORCE' || mode === 'SHADOW') return undefined;
  if (documentPolicy.bypassTiers.includes(ruleset().tier(subject.tier).name)) return undefined;
  return requestError('DOCUMENT_NOT_REGISTERED', 'register it with "tollgate documents push", or send its id');
}
