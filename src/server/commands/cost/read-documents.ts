import { Source } from 'graphql';
import { expandFolders, readText, reasonOf, UsageError } from '../read-text.js';
import { extractTaggedDocuments } from './extract-tagged-documents.js';

const DOCUMENT_ENDINGS = ['.graphql', '.gql'];
const CODE_ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte'];

/**
 * Reads the documents of an argument of `tollgate cost`. The argument is the text of an operation,
 * or a path. A path names a GraphQL file, code with tagged templates, a manifest of persisted
 * documents, or a folder of GraphQL files and code.
 * @param number position of the argument among the arguments of this flag, from 1; it becomes part
 * of the name of a text
 * @returns one source for each document. Its name is the path of the file, `FILE#ID` in a manifest,
 * or `(query N)` for a text. The line numbers are those of the file, except in a manifest
 * @throws UsageError if the argument cannot be read
 */
export function readDocuments(query: string, number: number): Source[] {
  if (query.includes('{')) return [new Source(query, `(query ${number})`)];
  const files = expandFolders('--query', [query], [...DOCUMENT_ENDINGS, ...CODE_ENDINGS]);
  const isFolder = files.length !== 1 || files[0] !== query;
  return files.flatMap((file) => {
    const text = readText('--query', file);
    if (file.endsWith('.json')) return readManifest(file, text);
    if (!CODE_ENDINGS.some((ending) => file.endsWith(ending))) return [new Source(text, file)];
    const found = extractTaggedDocuments(text);
    if (found.length === 0 && !isFolder)
      throw new UsageError(
        `${file}:1: expected operations in gql\`...\`, graphql\`...\` or /* GraphQL */ \`...\`, found none`,
      );
    return found.map((document) => new Source(document, file));
  });
}

/**
 * Reads persisted documents. Apollo's have the form `{ "operations": [{ "id", "body" }] }`. Those
 * of Relay, GraphQL Code Generator and others have the form `{ "<id>": "<text>" }`.
 */
function readManifest(file: string, text: string): Source[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file}:1: ${reasonOf(error)}`);
  }
  const { operations } = (parsed ?? {}) as { operations?: unknown };
  const entries: [string, unknown][] = Array.isArray(operations)
    ? operations.map(({ id, name, body }, at) => [String(id ?? name ?? at), body])
    : typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? Object.entries(parsed)
      : [];
  const documents = entries.flatMap(([id, body]) =>
    typeof body === 'string' ? [new Source(body, `${file}#${id}`)] : [],
  );
  if (documents.length > 0 && documents.length === entries.length) return documents;
  throw new UsageError(
    `${file}:1: expected a manifest of persisted documents: { "<id>": "<text>" }, or { "operations": [{ "id": ..., "body": "<text>" }] }`,
  );
}
