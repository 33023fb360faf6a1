import type { Logger } from '../../model/logger.js';
import type { SchemaProblem } from '../annotations/schema-problem.js';
import type { CostAnalyzerOptions } from '../settings/cost-analyzer-options.js';

/**
 * Maximum number of warnings in a log entry. A schema without annotations has hundreds of warnings.
 */
const MAX_WARNINGS = 20;

interface ReportOptions extends Pick<CostAnalyzerOptions, 'overlayMistakes'> {
  /** Whether to log guesses. If false, the calling code logs them. @default true */
  readonly logsGuesses?: boolean;
}

/**
 * Logs the warnings: mistakes in an overlay, guesses, and annotations without effect. Throws a
 * TypeError if there are errors, because otherwise every price that uses a mistaken annotation
 * would be wrong.
 */
export function reportAnnotations(
  problems: readonly SchemaProblem[],
  logger: Pick<Logger, 'warn'>,
  { overlayMistakes, logsGuesses = true }: ReportOptions = {},
): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    throw new TypeError(`Mistakes in the annotations of the schema or in the overlay:${errors.map(lineOf).join('')}`);
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  // Mistakes in an overlay are warnings here if `overlayMistakes` sets that severity.
  const misfits = warnings.filter(({ overlayKey }) => overlayKey !== undefined);
  if (misfits.length > 0 && overlayMistakes !== 'silent')
    logger.warn(`Overlay entries that do not fit the schema and have no effect:${listOf(misfits)}`);
  if (!logsGuesses) return;
  const inSchema = warnings.filter(({ overlayKey }) => overlayKey === undefined);
  const guesses = inSchema.filter(({ entry }) => entry === undefined);
  const sizeLike = inSchema.filter(({ entry }) => entry !== undefined);
  if (guesses.length > 0) logger.warn(`Parts of the schema whose price is a guess:${listOf(guesses)}`);
  if (sizeLike.length > 0)
    logger.warn(`Arguments that look like list sizes, but do not affect the price:${listOf(sizeLike)}`);
}

function listOf(problems: readonly SchemaProblem[]): string {
  const more = problems.length - MAX_WARNINGS;
  const rest = more > 0 ? `\n  and ${more} more: tollgate.check() and tollgate cost --check-schema list them all` : '';
  return `${problems.slice(0, MAX_WARNINGS).map(lineOf).join('')}${rest}`;
}

function lineOf({ coordinate, message, entry }: SchemaProblem): string {
  return `\n  ${coordinate}: ${message}${entry === undefined ? '' : `, or ${entry} to a file of prices`}`;
}
