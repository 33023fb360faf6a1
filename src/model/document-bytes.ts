/** Bytes of the heap for a token of a parsed document: the token itself, and its share of nodes and places. Measured: 258 to 412. */
const PER_TOKEN = 300;
const PER_DOCUMENT = 1000;

/** What a parsed document keeps alive, estimated: its tokens and nodes, and its text. */
export function documentBytes(document: {
  readonly tokenCount?: number | undefined;
  readonly loc?: { readonly start: number; readonly end: number } | undefined;
}): number {
  const letters = document.loc ? document.loc.end - document.loc.start : 0;
  // A token is one letter at least; without either nothing is known, and something has to be said.
  const tokens = document.tokenCount ?? (document.loc ? letters / 3 : 1000);
  return PER_DOCUMENT + tokens * PER_TOKEN + letters * 2;
}
