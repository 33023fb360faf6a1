import { readFile } from 'node:fs/promises';
import type { GraphQLSchema } from 'graphql';
import type { CostOverlay, OverlayEntry } from '../../cost/annotations/cost-overlay.js';
import type { SchemaProblem } from '../../cost/annotations/schema-problem.js';
import { createCostAnalyzer } from '../../cost/create-cost-analyzer.js';
import { findValueMistakes } from '../../cost/overlay/find-value-mistakes.js';
import {
  findInferenceMistakes,
  findOverlayMistakes,
  INFERENCE_OPTIONS,
  type InferenceChoices,
} from '../../cost/settings/cost-analyzer-options.js';
import { decodeText } from '../../runtime/files/decode-text.js';
import { parseYaml } from '../../runtime/packages/parse-yaml.js';

/**
 * The prices of a schema in a separate file, such as `costs.yaml`, for a schema that the user
 * cannot annotate.
 */
export interface CostsFile {
  readonly file: string;
  readonly text: string;
  readonly overlay: CostOverlay;
  /** Options for inferred prices, which apply if neither the file nor the schema sets a price. */
  readonly inference: InferenceChoices;
  /** Returns the line of the key of a mistake; undefined if it is unknown. */
  lineOf(problem: Pick<SchemaProblem, 'coordinate' | 'overlayKey'>): number | undefined;
  /** Describes a mistake, with the file and line: `costs.yaml:3: Query.itmes: ...` */
  describe(problem: Pick<SchemaProblem, 'coordinate' | 'message' | 'overlayKey'>): string;
}

/** The mistakes in a file of prices, one line each. */
export class CostsFileError extends Error {
  constructor(
    readonly problems: readonly string[],
    /**
     * The file with placeholders for invalid prices, so that it can be checked against a schema in
     * the same pass. Undefined if the file has no readable keys.
     */
    readonly rest?: CostsFile,
  ) {
    super(problems.join('\n'));
  }

  /**
   * Returns an error with all mistakes, including those against the schema, so that the author can
   * correct the file in one pass.
   *
   * @param counts returns whether to include a price that does not fit the schema; by default, all
   * are included
   */
  withMisfits(schema: GraphQLSchema, counts: (misfit: SchemaProblem) => boolean = () => true): CostsFileError {
    if (this.rest === undefined) return this;
    const { file, describe } = this.rest;
    const misfits = findMisfits(schema, this.rest).filter(counts);
    const lineOf = (problem: string) => Number(/^:(\d+): /.exec(problem.slice(file.length))?.[1] ?? 0);
    const all = [...this.problems, ...misfits.map(describe)];
    return new CostsFileError(all.sort((one, other) => lineOf(one) - lineOf(other)));
  }
}

/**
 * Reads a file of prices.
 * @throws CostsFileError that lists every mistake that can be found without the schema; TypeError
 * if the package yaml is missing
 */
export async function readCostsFile(file: string): Promise<CostsFile> {
  const text = await readFile(file).then(decodeText, (error: unknown) => {
    throw new CostsFileError([`${file}: cannot be read: ${error instanceof Error ? error.message : String(error)}`]);
  });
  const { document, lines, problems, isYaml, isMap, isScalar } = await parseYaml(text, '--costs');
  const at = (offset: number) => lines.linePos(offset).line;
  const repeated = problems.map((each) => ({ line: at(each.at), text: each.message }));
  if (!isYaml) throw new CostsFileError(inOrder(file, repeated));
  const all: unknown = document.toJS() ?? {};
  const places = new Map<string, number>();
  for (const { key } of isMap(document.contents) ? document.contents.items : []) {
    if (isScalar(key) && key.range) places.set(String(key.value), at(key.range[0]));
  }
  if (typeof all !== 'object' || all === null || Array.isArray(all)) {
    throw new CostsFileError([`${file}: expected schema coordinates as keys, such as "Query.items: { weight: 5 }"`]);
  }
  const isOption = ([key]: [string, unknown]) => (INFERENCE_OPTIONS as readonly string[]).includes(key);
  const options = Object.entries(all).filter(isOption);
  const overlay = Object.fromEntries(Object.entries(all).filter((entry) => !isOption(entry)));
  const costsOf = (prices: CostOverlay, inference: InferenceChoices = Object.fromEntries(options)): CostsFile => ({
    file,
    text,
    overlay: prices,
    inference,
    lineOf: ({ coordinate, overlayKey = coordinate }) => places.get(overlayKey),
    describe: ({ coordinate, message, overlayKey = coordinate }) => {
      const by = overlayKey === coordinate ? '' : ` (by ${overlayKey})`;
      const line = places.get(overlayKey);
      return `${file}${line === undefined ? '' : `:${line}`}: ${coordinate}${by}: ${message}`;
    },
  });
  const mistakes = [
    ...Object.entries(overlay).flatMap(([key, value]) =>
      findMistakesOf(key, value).map((mistake) => ({ key, line: places.get(key), text: mistake })),
    ),
    ...options.flatMap(([key, value]) =>
      findInferenceMistakes({ [key]: value }).map((mistake) => ({ key, line: places.get(key), text: mistake })),
    ),
  ];
  if (mistakes.length + repeated.length === 0) return costsOf(overlay as CostOverlay);
  const faulty = new Set(mistakes.map(({ key }) => key));
  const rest = Object.entries(overlay).map(([key, value]) => [key, faulty.has(key) ? standInOf(key) : value]);
  const readable = options.filter(([key]) => !faulty.has(key));
  throw new CostsFileError(
    inOrder(file, [...repeated, ...mistakes]),
    costsOf(Object.fromEntries(rest) as CostOverlay, Object.fromEntries(readable)),
  );
}

/**
 * Finds unknown keys and, for known keys, values that are invalid for every schema. If a default
 * replaced such a value, a field might cost a fraction of the intended price.
 */
function findMistakesOf(key: string, value: unknown): string[] {
  const mistakes = findOverlayMistakes({ [key]: value }).map((line) => line.replace('overlay.', ''));
  const isObject = typeof value === 'object' && value !== null;
  if (mistakes.length > 0 && !isObject) return mistakes;
  const known = isObject
    ? Object.fromEntries(
        Object.entries(value).filter(
          ([word, member]) => findOverlayMistakes({ [key]: { [word]: member } }).length === 0,
        ),
      )
    : value;
  const wrong = findValueMistakes({ [key]: known as OverlayEntry });
  return [...mistakes, ...wrong.map(({ coordinate, message }) => `${coordinate}: ${message}`)];
}

/**
 * Returns a placeholder for an unreadable price. With the placeholder, the key can still be checked
 * against a schema. For a pattern the placeholder is a number, because a pattern must set a price.
 */
function standInOf(key: string): OverlayEntry | number {
  return key.includes('*') ? 1 : {};
}

function inOrder(file: string, mistakes: readonly { line: number | undefined; text: string }[]): string[] {
  return [...mistakes]
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
    .map(({ line, text }) => `${file}${line === undefined ? '' : `:${line}`}: ${text}`);
}

/** Returns the prices of a file that do not fit a schema, in the order of their lines. */
export function findMisfits(schema: GraphQLSchema, { overlay, inference, lineOf }: CostsFile): SchemaProblem[] {
  return createCostAnalyzer(schema, { ...inference, overlay })
    .check()
    .filter(({ overlayKey }) => overlayKey !== undefined)
    .sort((one, other) => (lineOf(one) ?? 0) - (lineOf(other) ?? 0));
}

/** Describes the prices of a file that do not fit a schema, one line each. */
export function describeMisfits(schema: GraphQLSchema, costs: CostsFile): string[] {
  return findMisfits(schema, costs).map(costs.describe);
}
