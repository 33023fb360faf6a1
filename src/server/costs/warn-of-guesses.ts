import type { GraphQLSchema } from 'graphql';
import { createCostAnalyzer } from '../../cost/create-cost-analyzer.js';
import type { CostAnalyzerOptions } from '../../cost/settings/cost-analyzer-options.js';
import type { Logger } from '../../model/logger.js';
import { describeGroup } from './describe-group.js';

/** Maximum number of lines in a log entry. A third-party schema may have hundreds of guesses. */
const MAX_LINES = 20;

/**
 * Logs the guessed prices of a schema that the user cannot annotate, with the entries to add to the
 * file of prices.
 */
export function warnOfGuesses(schema: GraphQLSchema, cost: CostAnalyzerOptions, logger: Pick<Logger, 'warn'>): void {
  const analyzer = createCostAnalyzer(schema, cost);
  const groups = analyzer.guesses();
  const guessed = new Set(groups.flatMap(({ guesses }) => guesses.map(({ coordinate }) => coordinate)));
  const warnings = analyzer.check().filter(({ overlayKey }) => overlayKey === undefined);
  const guesses = groups.map((group) => describeGroup(group, { isOwnSchema: false }));
  const others = warnings.filter(({ coordinate, entry }) => entry === undefined && !guessed.has(coordinate));
  const all = [...guesses, ...others.map(({ coordinate, message }) => `${coordinate}: ${message}`)];
  if (all.length > 0) logger.warn(`Parts of the schema whose price is a guess; ${ADVICE}:${listOf(all)}`);
  const sizeLike = warnings.flatMap(({ entry }) => entry ?? []);
  if (sizeLike.length > 0) {
    logger.warn(
      `Arguments that look like list sizes, but do not affect the price; to use them, add to the file of prices:${listOf(sizeLike)}`,
    );
  }
}

const ADVICE = 'the file of prices (--costs FILE) can set these prices, and --write-costs FILE writes the entries';

function listOf(lines: readonly string[]): string {
  const more = lines.length - MAX_LINES;
  const rest = more > 0 ? `\n  and ${more} more: --write-costs FILE writes them all` : '';
  return `${lines
    .slice(0, MAX_LINES)
    .map((line) => `\n  ${line}`)
    .join('')}${rest}`;
}
