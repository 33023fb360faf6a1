import type { DocumentRecord, VersionCaller, VersionRecord } from '../../registry/read-version.js';
import { toGlobalId } from '../schema/to-global-id.js';
import type {
  DocumentVersionCallerType,
  DocumentVersionType,
  RegisteredDocumentType,
} from '../types/document-version-type.js';
import { presentCaller } from './present-caller.js';

export function presentDocumentVersion({ documents, ...version }: VersionRecord): DocumentVersionType {
  return { ...version, documentCount: documents, id: toGlobalId('DocumentVersion', version.number) };
}

export function presentDocument({ id, ...document }: DocumentRecord): RegisteredDocumentType {
  return { ...document, documentId: id };
}

/** Converts a caller, whose stored name begins with its kind: `user 42`. */
export function presentVersionCaller({ caller, uses, lastUsedAt }: VersionCaller): DocumentVersionCallerType {
  const [, kind, name] = /^(tenant|user|key) (.*)$/s.exec(caller) ?? [];
  if (kind === undefined) {
    const shown = presentCaller({});
    return { caller: caller === 'anonymous' ? shown : { ...shown, kind: 'OTHER' }, uses, lastUsedAt };
  }
  return { caller: presentCaller({ [kind === 'key' ? 'apiKey' : kind]: name }), uses, lastUsedAt };
}
