import { z } from 'zod';
import { UNREGISTERED } from '../../documents/document-policy-option.js';
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
