import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { ERRORS, errorOf } from '../model/errors.js';
import { rejectMistakes } from '../options/find-mistakes.js';
import { checkNames } from './check-names.js';
import { countComparisons } from './count-comparisons.js';
import { documentLimitsOption } from './document-limits-option.js';
import { findFragmentCycle } from './find-fragment-cycle.js';
import { DEFAULT_DOCUMENT_LIMITS, type DocumentLimits, measureDocument } from './measure-document.js';

export interface DocumentCheck {
  /**
   * Checks the text of a document before it is parsed. Returns an error if it exceeds a limit, and
   * undefined otherwise. Returns undefined for a text that is not GraphQL, because the parser
   * rejects it.
   */
  ofText(source: string): GraphQLError | undefined;
  /**
   * Checks a parsed document before validation. Returns an error if validation would take too long
   * or overflow the stack.
   */
  ofParsed(schema: GraphQLSchema, document: DocumentNode): GraphQLError | undefined;
}

/**
 * Creates a check of documents against limits.
 * @throws TypeError for invalid limits
 */
export function createDocumentCheck(options: Partial<DocumentLimits> = {}): DocumentCheck {
  rejectMistakes('documentLimits', documentLimitsOption.find(options, 'documentLimits'));
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const limits: DocumentLimits = { ...DEFAULT_DOCUMENT_LIMITS, ...Object.fromEntries(given) };

  return {
    ofText(source) {
      if (isLonger(source, limits.maxBytes)) return rejectionOf('maxBytes', limits);
      const exceeded = measureDocument(source, limits);
      return exceeded && rejectionOf(exceeded, limits);
    },
    ofParsed(schema, document) {
      const cycle = findFragmentCycle(document);
      if (cycle) return cycle;
      const { maxComparisons } = limits;
      if (maxComparisons < Number.POSITIVE_INFINITY && countComparisons(document, maxComparisons) > maxComparisons) {
        return rejectionOf('maxComparisons', limits);
      }
      return checkNames(schema, document);
    },
  };
}

const UNITS: Record<keyof DocumentLimits, string> = {
  maxBytes: 'bytes',
  maxTokens: 'tokens',
  maxDepth: 'levels of nesting',
  maxAliases: 'aliases',
  maxDirectives: 'directives',
  maxDefinitions: 'operations and fragments',
  maxComparisons: 'pairs of fields with the same name in the same place',
};

function rejectionOf(limit: keyof DocumentLimits, limits: DocumentLimits): GraphQLError {
  const message = `${ERRORS.DOCUMENT_LIMIT_EXCEEDED.message}: expected at most ${limits[limit]} ${UNITS[limit]}`;
  return errorOf('DOCUMENT_LIMIT_EXCEEDED', message, { extensions: { limit, maximum: limits[limit] } });
}

/**
 * Returns whether a text has more bytes than the limit. A UTF-16 code unit takes one to three bytes
 * in UTF-8, so for most texts the length is enough to decide.
 */
function isLonger(source: string, maxBytes: number): boolean {
  if (source.length > maxBytes) return true;
  return source.length * 3 > maxBytes && Buffer.byteLength(source) > maxBytes;
}
