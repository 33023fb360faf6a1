/**
 * Matches template literals, comments and strings. A backtick inside a comment or a string starts
 * no template. A regular expression literal may be mistaken for a string, but only up to the end of
 * its line.
 */
const TOKENS = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
/**
 * Matches the text before a template that holds a document: a tag, a call of a tag as a function,
 * or the GraphQL comment that editors recognize.
 */
const TAG = /(?:\b(?:gql|graphql)\s{0,9}(?:<[^`<>]{0,200}>)?\s{0,9}\(?\s{0,50}|\/\*\s{0,9}GraphQL\s{0,9}\*\/\s{0,50})$/;
const LONGEST_TAG = 300;

/**
 * Finds the GraphQL documents in JavaScript or TypeScript: templates tagged with `gql` or
 * `graphql`, calls such as `graphql(...)` with a template, and templates after the comment GraphQL.
 * Interpolations become blanks. They usually insert fragments, which Tollgate finds by name.
 * @returns the documents. Each begins with as many line breaks as precede it in the code, so that
 * its line numbers are those of the code
 */
export function extractTaggedDocuments(code: string): string[] {
  const documents: string[] = [];
  for (const { 0: token, index } of code.matchAll(TOKENS)) {
    if (!token.startsWith('`') || !TAG.test(code.slice(Math.max(0, index - LONGEST_TAG), index))) continue;
    const lines = code.slice(0, index).split('\n').length - 1;
    const text = token.slice(1, -1).replace(/\$\{[^}$]*\}/g, (part) => part.replace(/[^\n]/g, ' '));
    documents.push(
      '\n'.repeat(lines) + text.replace(/\\([\s\S])/g, (_, character) => (character === 'n' ? '\n' : character)),
    );
  }
  return documents;
}
