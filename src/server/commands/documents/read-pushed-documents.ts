import type { DocumentInput } from '../../../registry/document-input.js';
import { documentOfText, readManifest } from '../../../registry/read-manifest.js';
import { expandFolders, readText, reasonOf, UsageError } from '../read-text.js';

/** A document with its place, for messages. */
export interface PlacedDocument extends DocumentInput {
  /** `FILE#ID` in a manifest, else the path of the file. */
  place: string;
}

/**
 * Reads the documents of a file or folder: a manifest (JSON), a document, or a folder of documents.
 * @throws UsageError if it cannot be read
 */
export function readPushedDocuments(path: string): PlacedDocument[] {
  return expandFolders('FILE', [path], ['.graphql', '.gql']).flatMap((file) => {
    const text = readText('FILE', file);
    if (!file.endsWith('.json')) return [{ ...documentOfText(text), place: file }];
    try {
      return readManifest(text).map((one) => ({ ...one, place: `${file}#${one.id}` }));
    } catch (error) {
      throw new UsageError(`${file}: ${reasonOf(error)}`);
    }
  });
}
