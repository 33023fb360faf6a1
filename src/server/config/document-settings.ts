import { z } from 'zod';
import { UNREGISTERED } from '../../documents/document-policy-option.js';
import type { DocumentLimits } from '../../documents/measure-document.js';
import { alternatives } from '../../options/alternatives.js';
import { listOf } from './settings.js';

/** Settings for operations whose documents are not registered. */
export const DOCUMENT_SETTINGS = {
  TOLLGATE_UNREGISTERED_DOCUMENTS: {
    reads: z.enum(UNREGISTERED, `expected ${alternatives(UNREGISTERED)}`).default('ALLOW'),
    flag: 'unregistered-documents',
    value: UNREGISTERED.join('|'),
    description: 'operations whose documents are not registered: see docs/documents.md',
    docs: 'Handling of operations whose documents are not registered: allowed, logged, allowed with a warning in the response, or rejected. See [documents.md](documents.md#steps-to-an-allow-list).',
  },
  TOLLGATE_UNREGISTERED_BYPASS_TIERS: {
    reads: z.string().transform(listOf).default([]),
    flag: 'unregistered-bypass-tiers',
    value: 'TIERS',
    description: 'tiers whose callers may always send documents that are not registered',
    docs: 'Names of tiers, with commas between them, whose callers may send documents that are not registered even with `ENFORCE`.',
  },
};

/** Variables of the limits of documents, by limit. */
const LIMIT_VARIABLES = {
  maxBytes: 'TOLLGATE_MAX_DOCUMENT_BYTES',
  maxTokens: 'TOLLGATE_MAX_TOKENS',
  maxDepth: 'TOLLGATE_MAX_DEPTH',
  maxAliases: 'TOLLGATE_MAX_ALIASES',
  maxDirectives: 'TOLLGATE_MAX_DIRECTIVES',
  maxDefinitions: 'TOLLGATE_MAX_DEFINITIONS',
  maxComparisons: 'TOLLGATE_MAX_COMPARISONS',
} as const satisfies { [Limit in keyof DocumentLimits]?: string };

type LimitVariable = (typeof LIMIT_VARIABLES)[keyof typeof LIMIT_VARIABLES];

/** Returns the limits of documents that are set. */
export function documentLimitsOf(
  values: {
    readonly [Variable in LimitVariable]?: number | undefined;
  },
): Partial<DocumentLimits> {
  const limits = Object.entries(LIMIT_VARIABLES).map(([limit, variable]) => [limit, values[variable]] as const);
  return Object.fromEntries(limits.filter(([, value]) => value !== undefined));
}
