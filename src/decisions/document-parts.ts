/** Members of a request that name its document. They are unchecked JSON. */
interface SentDocument {
  query?: unknown;
  documentId?: unknown;
}

interface DocumentParts {
  query: string | undefined;
  documentId?: string;
  extensions?: { persistedQuery: { sha256Hash: unknown } };
}

const HASH = /^(?:sha256:)?([0-9a-f]{64})$/;

/**
 * Returns the members of a request as `protect` reads them. A hash as `documentId` may be that of an
 * automatic persisted query, whose text the request has or an earlier request had.
 */
export function documentParts({ query, documentId }: SentDocument): DocumentParts {
  const text = (query ?? undefined) as string | undefined;
  if (documentId === undefined || documentId === null) return { query: text };
  const hash = typeof documentId === 'string' ? HASH.exec(documentId)?.[1] : undefined;
  const extensions = { persistedQuery: { sha256Hash: hash } };
  if (text !== undefined) return { query: text, extensions };
  // The error of a hash without a prefix asks the caller for the text.
  if (hash !== undefined && hash === documentId) return { query: undefined, extensions };
  return { query: undefined, documentId: documentId as string, ...(hash !== undefined && { extensions }) };
}
