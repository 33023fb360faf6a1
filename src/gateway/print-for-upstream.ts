import { type DocumentNode, Kind, print, separateOperations, visit } from 'graphql';

interface Printed {
  /** Undefined: the document has no other operation. */
  readonly operationName: string | undefined;
  readonly text: string;
}

/** The last text only: a document of many operations with common fragments has many times its own length of texts. */
const printed = new WeakMap<DocumentNode, Printed>();

/**
 * Returns the text of the operation that was priced, as every GraphQL lexer reads it. The caller's own text is never
 * forwarded: lexers disagree on where comments end (a lone CR, U+2028), on `\u{...}` and on block strings. Other
 * operations of the document are left out, as a server may not read `operationName` as the gateway does.
 */
export function printForUpstream(document: DocumentNode, operationName: string | null | undefined): string {
  const known = printed.get(document);
  if (known && (known.operationName === undefined || known.operationName === operationName)) return known.text;
  const isAlone = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length === 1;
  // Operations that are not alone have names, or the document would not be valid.
  const picked = isAlone ? undefined : operationName!;
  const text = printPlainly(picked === undefined ? document : separateOperations(document)[picked]!);
  printed.set(document, { operationName: picked, text });
  return text;
}

/** Without its block strings and descriptions, all that is not ASCII in a printed document stands in quoted strings. */
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

/** Control and format characters, and all separators but those that are printed between tokens. */
const AMBIGUOUS = /(?![ \n])[\p{C}\p{Z}]/gu;

/** Characters beyond U+FFFF stay: a pair of `\u` escapes is no character to servers whose strings are not UTF-16. */
function escapeCharacter(character: string): string {
  if (character.length > 1) return character;
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
