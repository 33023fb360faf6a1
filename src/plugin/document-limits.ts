/** How large a document may be before anything is spent on it; `Infinity` lifts a limit. */
export interface DocumentLimits {
  /** Bytes of its text as UTF-8, comments and white space included. @default 65536 */
  maxBytes: number;
  /** Tokens: names, values, punctuation. @default 2000 */
  maxTokens: number;
  /** Selection sets inside each other, through fragments too; and values inside each other. @default 30 */
  maxDepth: number;
  /** @default 250 */
  maxAliases: number;
  /** Uses of directives. @default 250 */
  maxDirectives: number;
  /** Operations and fragments together. @default 100 */
  maxDefinitions: number;
  /**
   * Pairs of fields that have one response name at one place, which validation has to compare: this grows with the square
   * of how often a field is repeated. See `countComparisons`. @default 10000
   */
  maxComparisons: number;
}

/** At these limits the dearest documents known take about 10 ms to parse, check and validate: `docs/answers.md`. */
export const DEFAULT_DOCUMENT_LIMITS: DocumentLimits = {
  maxBytes: 65_536,
  maxTokens: 2000,
  maxDepth: 30,
  maxAliases: 250,
  maxDirectives: 250,
  maxDefinitions: 100,
  maxComparisons: 10_000,
};
