import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { ERRORS, errorOf } from '../model/errors.js';
import { refuseMistakes } from '../options/find-mistakes.js';
import { checkNames } from './check-names.js';
import { countComparisons } from './count-comparisons.js';
import { documentLimitsOption } from './document-limits-option.js';
import { findFragmentCycle } from './find-fragment-cycle.js';
import { DEFAULT_DOCUMENT_LIMITS, type DocumentLimits, measureDocument } from './measure-document.js';

export interface DocumentCheck {
  /**
   * Looks at a document before it is parsed: the error that refuses it, or undefined where it is within the limits. What
   * is not GraphQL at all passes: the parser will say so.
   */
  ofText(source: string): GraphQLError | undefined;
  /** Looks at a parsed document before it is validated, for what would make validation take long, or break it. */
  ofParsed(schema: GraphQLSchema, document: DocumentNode): GraphQLError | undefined;
}

/** @throws TypeError for limits that are none */
export function createDocumentCheck(options: Partial<DocumentLimits> = {}): DocumentCheck {
  refuseMistakes('documentLimits', documentLimitsOption.find(options, 'documentLimits'));
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const limits: DocumentLimits = { ...DEFAULT_DOCUMENT_LIMITS, ...Object.fromEntries(given) };

  return {
    ofText(source) {
      if (isLonger(source, limits.maxBytes)) return refusal('maxBytes', limits);
      const exceeded = measureDocument(source, limits);
      return exceeded && refusal(exceeded, limits);
    },
    ofParsed(schema, document) {
      const cycle = findFragmentCycle(document);
      if (cycle) return cycle;
      const { maxComparisons } = limits;
      if (maxComparisons < Number.POSITIVE_INFINITY && countComparisons(document, maxComparisons) > maxComparisons) {
        return refusal('maxComparisons', limits);
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
  maxComparisons: 'pairs of fields with one name at one place',
};

function refusal(limit: keyof DocumentLimits, limits: DocumentLimits): GraphQLError {
  const message = `${ERRORS.DOCUMENT_LIMIT_EXCEEDED.message}: expected at most ${limits[limit]} ${UNITS[limit]}`;
  return errorOf('DOCUMENT_LIMIT_EXCEEDED', message, { extensions: { limit, maximum: limits[limit] } });
}

/** One UTF-16 unit is one to three bytes of UTF-8: most texts need no counting. */
function isLonger(source: string, maxBytes: number): boolean {
  if (source.length > maxBytes) return true;
  return source.length * 3 > maxBytes && Buffer.byteLength(source) > maxBytes;
}
