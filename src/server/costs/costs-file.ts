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

/** The prices of a schema that is not ours, as they stand in a file: `costs.yaml`. */
export interface CostsFile {
  readonly file: string;
  readonly text: string;
  readonly overlay: CostOverlay;
  /** What may be inferred where neither the file nor the schema says anything. */
  readonly inference: InferenceChoices;
  /** The line where the key of a mistake stands; undefined: not known. */
  lineOf(problem: Pick<SchemaProblem, 'coordinate' | 'overlayKey'>): number | undefined;
  /** A mistake with the place where it stands: `costs.yaml:3: Query.itmes: ...` */
  describe(problem: Pick<SchemaProblem, 'coordinate' | 'message' | 'overlayKey'>): string;
}

/** What is wrong with a file of prices: one line for each mistake. */
export class CostsFileError extends Error {
  constructor(
    readonly problems: readonly string[],
    /** What of the file can be held against a schema all the same. */
    readonly rest?: CostsFile,
  ) {
    super(problems.join('\n'));
  }

  /**
   * All that is wrong with it, what does not fit the schema too: who mends a file wants to mend it once.
   *
   * @param counts which misfits do. @default all
   */
  beside(schema: GraphQLSchema, counts: (misfit: SchemaProblem) => boolean = () => true): CostsFileError {
    if (this.rest === undefined) return this;
    const { file, describe } = this.rest;
    const misfits = findMisfits(schema, this.rest).filter(counts);
    const lineOf = (problem: string) => Number(/^:(\d+): /.exec(problem.slice(file.length))?.[1] ?? 0);
    const all = [...this.problems, ...misfits.map(describe)];
    return new CostsFileError(all.sort((one, other) => lineOf(one) - lineOf(other)));
  }
}

/** @throws CostsFileError that lists every mistake that can be known without the schema; TypeError: the package yaml is missing */
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

/** Words that there are not and, of the others, values that fit no schema: with a default in their place a field might cost a fraction of what was meant. */
function findMistakesOf(key: string, value: unknown): string[] {
  const mistakes = findOverlayMistakes({ [key]: value }).map((line) => line.replace('overlay.', ''));
  const isObject = typeof value === 'object' && value !== null;
  if (mistakes.length > 0 && !isObject) return mistakes;
  const known = isObject
    ? Object.fromEntries(
        Object.entries(value).filter(([word, said]) => findOverlayMistakes({ [key]: { [word]: said } }).length === 0),
      )
    : value;
  const wrong = findValueMistakes({ [key]: known as OverlayEntry });
  return [...mistakes, ...wrong.map(({ coordinate, message }) => `${coordinate}: ${message}`)];
}

/** For a price that cannot be read: its key can be looked for in a schema all the same, and a pattern has to price something. */
function standInOf(key: string): OverlayEntry | number {
  return key.includes('*') ? 1 : {};
}

function inOrder(file: string, mistakes: readonly { line: number | undefined; text: string }[]): string[] {
  return [...mistakes]
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
    .map(({ line, text }) => `${file}${line === undefined ? '' : `:${line}`}: ${text}`);
}

/** What of a file does not fit a schema, in the order of its lines. */
export function findMisfits(schema: GraphQLSchema, { overlay, inference, lineOf }: CostsFile): SchemaProblem[] {
  return createCostAnalyzer(schema, { ...inference, overlay })
    .check()
    .filter(({ overlayKey }) => overlayKey !== undefined)
    .sort((one, other) => (lineOf(one) ?? 0) - (lineOf(other) ?? 0));
}

export function describeMisfits(schema: GraphQLSchema, costs: CostsFile): string[] {
  return findMisfits(schema, costs).map(costs.describe);
}
