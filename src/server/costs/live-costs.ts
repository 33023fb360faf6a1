import type { GraphQLSchema } from 'graphql';
import type { SchemaProblem } from '../../cost/annotations/schema-problem.js';
import type { CostAnalyzerOptions } from '../../cost/settings/cost-analyzer-options.js';
import type { Logger } from '../../model/logger.js';
import { StartError } from '../../runtime/start-error.js';
import { type CostsFile, CostsFileError, describeMisfits, findMisfits, readCostsFile } from './costs-file.js';

interface LiveCostsOptions {
  file: string | undefined;
  logger: Logger;
}

/** The prices of a file that are in force, for a schema that may change too. */
export interface LiveCosts {
  /**
   * Returns the options for pricing with the prices in force. Prices that do not fit a schema are
   * ignored for it, because the schema may change without the file. `warnOf` logs them.
   */
  options(): CostAnalyzerOptions;
  /** Returns messages about prices that do not fit a schema, and therefore have no effect. */
  misfits(schema: GraphQLSchema): string[];
  /** Logs the prices that do not fit a schema. */
  warnOf(schema: GraphQLSchema): void;
  /**
   * Reads the file again. A changed file comes into force completely or not at all. If it has
   * mistakes, the earlier prices stay in force, and the reason is logged. The promise never
   * rejects.
   *
   * @param reason text for the log, such as `SIGHUP`
   * @param swap puts the prices in force; if it throws, they are rejected
   * @returns reasons why the new prices are not in force; empty if they are, or if the file has not
   * changed
   */
  refresh(reason: string, schema: GraphQLSchema, swap: (options: CostAnalyzerOptions) => void): Promise<string[]>;
}

/**
 * Opens the prices of a file.
 * @param opening schema of the prices; prices that do not fit it are reported together with the
 * other mistakes
 * @throws StartError that lists every mistake of the file, and the reason if there is no schema
 */
export async function openLiveCosts(
  { file, logger }: LiveCostsOptions,
  opening: Promise<{ current(): GraphQLSchema }>,
): Promise<LiveCosts> {
  if (file === undefined) return NO_COSTS;
  let inForce = await readCostsFile(file).catch(async (error: unknown) => {
    if (!(error instanceof CostsFileError)) throw error;
    const opened = await opening.catch((reason: unknown) => reason);
    const isOpen = typeof opened === 'object' && opened !== null && 'current' in opened;
    const { problems } = isOpen ? error.withMisfits((opened as { current(): GraphQLSchema }).current()) : error;
    const count = problems.length === 1 ? '1 mistake' : `${problems.length} mistakes`;
    const besides = isOpen ? '' : `\n${opened instanceof Error ? opened.message : String(opened)}`;
    throw new StartError(`--costs: ${count}\n  ${problems.join('\n  ')}${besides}`);
  });
  /** Last logged message. A persistently invalid file is logged once. */
  let loggedMessage: string | undefined;

  async function refreshOnce(
    reason: string,
    schema: GraphQLSchema,
    swap: (options: CostAnalyzerOptions) => void,
  ): Promise<void> {
    const next = await readCostsFile(file!).catch((error: unknown) => {
      throw error instanceof CostsFileError ? error.withMisfits(schema, isNewFor(schema)) : error;
    });
    if (next.text === inForce.text) return;
    const misfits = findMisfits(schema, next).filter(isNewFor(schema));
    if (misfits.length > 0) throw new CostsFileError(misfits.map(next.describe));
    swap(optionsOf(next));
    logger.info(`The prices have changed (${reason}): ${describeChange(inForce, next)}`);
    inForce = next;
  }

  /**
   * Returns a function that checks whether a misfit, a price that does not fit the schema, is new.
   * A new misfit is a mistake in the edited file. A misfit that existed before must not prevent
   * changes to other lines.
   */
  function isNewFor(schema: GraphQLSchema): (misfit: SchemaProblem) => boolean {
    const idOf = ({ overlayKey, message }: SchemaProblem) => `${overlayKey} ${message}`;
    const known = new Set(findMisfits(schema, inForce).map(idOf));
    return (misfit) => !known.has(idOf(misfit));
  }

  const misfits = (schema: GraphQLSchema) => describeMisfits(schema, inForce);
  return {
    options: () => optionsOf(inForce),
    misfits,
    warnOf(schema) {
      const found = misfits(schema);
      if (found.length === 0) return;
      logger.warn(`Prices that do not fit the schema in force have no effect:\n  ${found.join('\n  ')}`);
    },
    async refresh(reason, schema, swap) {
      try {
        await refreshOnce(reason, schema, swap);
        if (loggedMessage !== undefined) logger.info('The prices can be refreshed again');
        loggedMessage = undefined;
        return [];
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (message !== loggedMessage) {
          logger.error(
            { file },
            `The prices could not be refreshed: the previous ones stay in force\n  ${message.replaceAll('\n', '\n  ')}`,
          );
        }
        loggedMessage = message;
        return error instanceof CostsFileError ? [...error.problems] : [message];
      }
    },
  };
}

const NOTHING: CostAnalyzerOptions = {};
const NO_COSTS: LiveCosts = {
  options: () => NOTHING,
  misfits: () => [],
  warnOf: () => {},
  refresh: async () => [],
};

function optionsOf({ overlay, inference }: CostsFile): CostAnalyzerOptions {
  // The gateway itself reports prices that do not fit, with their lines in the file.
  return { ...inference, overlay, overlayMistakes: 'silent' };
}

/** Maximum number of listed keys in a change. */
const MOST_NAMED = 5;

function describeChange(old: CostsFile, next: CostsFile): string {
  const before: Readonly<Record<string, unknown>> = { ...old.inference, ...old.overlay };
  const after: Readonly<Record<string, unknown>> = { ...next.inference, ...next.overlay };
  const isOther = (key: string) => JSON.stringify(before[key]) !== JSON.stringify(after[key]);
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(isOther);
  const show = (key: string) =>
    `${key}: ${JSON.stringify(before[key]) ?? 'nothing'} -> ${JSON.stringify(after[key]) ?? 'nothing'}`;
  if (keys.length === 0) return 'only in their order or in comments';
  return `${keys.slice(0, MOST_NAMED).map(show).join('; ')}${keys.length > MOST_NAMED ? `; and ${keys.length - MOST_NAMED} more` : ''}`;
}
