import type { OptionTable } from '../options/find-mistakes.js';
import { listOf, oneOf, optionsOf, text } from '../options/option-kinds.js';
import type { DocumentPolicy } from './registered-documents.js';

export const UNREGISTERED = ['ALLOW', 'LOG', 'WARN', 'ENFORCE'] as const;

const TABLE: OptionTable<Partial<DocumentPolicy>> = {
  unregistered: oneOf(...UNREGISTERED),
  bypassTiers: listOf(text),
};

export const documentPolicyOption = optionsOf(TABLE);
