/** A document that an app has registered under an id, as a caller sent it. */
export interface RegisteredDocument {
  readonly app: string;
  readonly version: string;
  readonly id: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly hash: string;
  readonly text: string;
  /** Numbers of the version and of the document in the store. */
  readonly versionNumber: number;
  readonly number: number;
}

/** Name and version of an app, as the client sends them in headers. */
export interface ClientName {
  readonly app?: string | undefined;
  readonly version?: string | undefined;
}

type Found = RegisteredDocument | undefined | Promise<RegisteredDocument | undefined>;

/** Lookup of registered documents. */
export interface RegisteredDocuments {
  /**
   * Returns the document of a published version that has this id. A hash of a text counts as an id.
   * Returns a promise only if memory does not have the document. The promise rejects with
   * `DOCUMENT_STORE_UNAVAILABLE` if no other store returns it in time.
   */
  find(id: string, client: ClientName): Found;
}

/** Handling of operations whose documents are not registered. */
export interface DocumentPolicy {
  /**
   * `ALLOW`: they count as other operations. `LOG`: the log names them. `WARN`: also their responses
   * have a warning. `ENFORCE`: they are rejected.
   */
  readonly unregistered: 'ALLOW' | 'LOG' | 'WARN' | 'ENFORCE';
  /** Names of tiers whose callers may send documents that are not registered. */
  readonly bypassTiers: readonly string[];
}

export const ALLOW_UNREGISTERED: DocumentPolicy = { unregistered: 'ALLOW', bypassTiers: [] };

/** Maximum length of an id, in characters. */
export const MAX_ID_LENGTH = 256;

/** Reads the name and the version of a client from the headers that Apollo's clients send. */
export function clientNameOf(header: (name: string) => string | undefined): ClientName {
  return { app: header('apollographql-client-name'), version: header('apollographql-client-version') };
}
