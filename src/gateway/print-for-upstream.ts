import { type DocumentNode, Kind, print, separateOperations, visit } from 'graphql';

interface Printed {
  /** Name of the operation; undefined if it is the only operation of the document. */
  readonly operationName: string | undefined;
  readonly text: string;
}

/**
 * Last printed text of each document. Only one text per document is kept. The texts for all
 * operations, each with the shared fragments, could be many times as long as the document.
 */
const printed = new WeakMap<DocumentNode, Printed>();

/**
 * Returns the text of the priced operation, in a form that every GraphQL lexer interprets in the
 * same way. The caller's own text is never forwarded: lexers disagree on the end of comments (a
 * lone CR, U+2028), on `\u{...}` and on block strings. Other operations of the document are
 * omitted, because a server may interpret `operationName` differently.
 */
export function printForUpstream(document: DocumentNode, operationName: string | null | undefined): string {
  const known = printed.get(document);
  if (known && (known.operationName === undefined || known.operationName === operationName)) return known.text;
  const isAlone = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length === 1;
  // The document is valid, so each of several operations has a name.
  const picked = isAlone ? undefined : operationName!;
  const text = printPlainly(picked === undefined ? document : separateOperations(document)[picked]!);
  printed.set(document, { operationName: picked, text });
  return text;
}

/**
 * Prints a document without block strings and descriptions. All non-ASCII characters are then
 * inside quoted strings.
 */
function printPlainly(document: DocumentNode): string {
  const plain = visit(document, {
    enter(node) {
      if (node.kind === Kind.STRING) return node.block ? { ...node, block: false } : undefined;
      if (!('description' in node) || node.description === undefined) return undefined;
      return { ...node, description: undefined };
    },
  });
  return print(plain).replace(AMBIGUOUS, escapeCharacter);
}

/**
 * Matches control and format characters, and all separators except those printed between tokens.
 */
const AMBIGUOUS = /(?![ \n])[\p{C}\p{Z}]/gu;

/**
 * Escapes a character. Characters above U+FFFF are not escaped: some servers do not decode a pair
 * of `\u` escapes as one character.
 */
function escapeCharacter(character: string): string {
  if (character.length > 1) return character;
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
