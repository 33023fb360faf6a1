import { describeValue } from '../options/describe-value.js';
import type { OptionCheck, OptionTable } from '../options/find-mistakes.js';
import { optionsOf } from '../options/option-kinds.js';
import type { DocumentLimits } from './measure-document.js';

const limit: OptionCheck<number> = {
  *find(value, place) {
    if (value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) >= 1)) return;
    yield `${place}: expected a whole number of 1 or more, or Infinity, got ${describeValue(value)}`;
  },
};

const TABLE: OptionTable<Partial<DocumentLimits>> = {
  maxBytes: limit,
  maxTokens: limit,
  maxDepth: limit,
  maxAliases: limit,
  maxDirectives: limit,
  maxDefinitions: limit,
  maxComparisons: limit,
};

export const documentLimitsOption = optionsOf(TABLE);
