import { sha256Of } from '../documents/sha-256-of.js';
import type { DocumentInput } from './document-input.js';

/**
 * Reads the documents of a manifest. The format is detected: Apollo's `apollo-persisted-query-manifest`
 * (version 1), an object of ids and texts (Relay, GraphQL Code Generator), or a list of pairs of an
 * id and a text (Relay).
 * @throws TypeError that describes the mistake; it does not name the file
 */
export function readManifest(text: string): DocumentInput[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new TypeError(`expected JSON: ${(error as Error).message}`);
  }
  const documents = documentsOf(parsed);
  if (documents.length === 0) throw new TypeError('expected at least one document, got none');
  return documents;
}

function documentsOf(parsed: unknown): DocumentInput[] {
  if (Array.isArray(parsed)) return parsed.map((pair, at) => pairOf(pair, `[${at}]`));
  if (typeof parsed !== 'object' || parsed === null) throw new TypeError(EXPECTED);
  const { format, version, operations } = parsed as { format?: unknown; version?: unknown; operations?: unknown };
  if (!Array.isArray(operations)) return Object.entries(parsed).map((pair) => pairOf(pair, pair[0].slice(0, 80)));
  if (format !== undefined && format !== 'apollo-persisted-query-manifest')
    throw new TypeError(`format: expected "apollo-persisted-query-manifest", got ${shown(format)}`);
  if (version !== undefined && version !== 1) throw new TypeError(`version: expected 1, got ${shown(version)}`);
  return operations.map((operation, at) => {
    const { id, body } = (operation ?? {}) as { id?: unknown; body?: unknown };
    return pairOf([id, body], `operations[${at}]`);
  });
}

function pairOf(pair: unknown, place: string): DocumentInput {
  const [id, text] = Array.isArray(pair) ? (pair as unknown[]) : [];
  if (typeof id !== 'string' || id === '') throw new TypeError(`${place}: expected an id and a text. ${EXPECTED}`);
  if (typeof text !== 'string' || text === '') throw new TypeError(`${place}: expected the text of a document`);
  return { id, text };
}

const EXPECTED =
  'A manifest is { "format": "apollo-persisted-query-manifest", "version": 1, "operations": [{ "id", "body" }] }, { "ID": "TEXT" } or [["ID", "TEXT"]]';

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}

/** Returns a document with the id that the GraphQL over HTTP specification defines for its text. */
export function documentOfText(text: string): DocumentInput {
  return { id: `sha256:${sha256Of(text)}`, text };
}
