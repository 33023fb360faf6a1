import { readFile } from 'node:fs/promises';
import type { GraphQLSchema } from 'graphql';
import { findOverlayMistakes } from '../../cost/cost-options.js';
import { createCostAnalyzer } from '../../cost/create-cost-analyzer.js';
import type { CostOverlay, SchemaProblem } from '../../cost/schema/annotations.js';
import { findValueMistakes } from '../../cost/schema/overlay/find-value-mistakes.js';
import { parseYaml } from '../../model/packages/parse-yaml.js';

/** The prices of a schema that is not ours, as they stand in a file: `costs.yaml`. */
export interface CostsFile {
  readonly file: string;
  readonly text: string;
  readonly overlay: CostOverlay;
  /** A mistake with the place where it stands: `costs.yaml:3: Query.itmes: ...` */
  describe(problem: Pick<SchemaProblem, 'coordinate' | 'message' | 'overlayKey'>): string;
}

/** What is wrong with a file of prices: one line for each mistake. */
export class CostsFileError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** @throws CostsFileError that lists every mistake that can be known without the schema; TypeError: the package yaml is missing */
export async function readCostsFile(file: string): Promise<CostsFile> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CostsFileError([`${file}: cannot be read: ${error instanceof Error ? error.message : String(error)}`]);
  });
  const { document, lines, problems, isMap, isScalar } = await parseYaml(text, '--costs');
  const at = (offset: number) => `${file}:${lines.linePos(offset).line}`;
  if (problems.length > 0) throw new CostsFileError(problems.map((each) => `${at(each.at)}: ${each.message}`));
  const overlay: unknown = document.toJS() ?? {};
  const places = new Map<string, string>();
  for (const { key } of isMap(document.contents) ? document.contents.items : []) {
    if (isScalar(key) && key.range) places.set(String(key.value), at(key.range[0]));
  }
  if (typeof overlay !== 'object' || overlay === null || Array.isArray(overlay)) {
    throw new CostsFileError([`${file}: expected schema coordinates as keys, such as "Query.items: { weight: 5 }"`]);
  }
  const mistakes = Object.entries(overlay).flatMap(([key, value]) =>
    findOverlayMistakes({ [key]: value }).map((line) => `${places.get(key) ?? file}: ${line.replace('overlay.', '')}`),
  );
  if (mistakes.length > 0) throw new CostsFileError(mistakes);
  const costs: CostsFile = {
    file,
    text,
    overlay: overlay as CostOverlay,
    describe: ({ coordinate, message, overlayKey = coordinate }) => {
      const by = overlayKey === coordinate ? '' : ` (by ${overlayKey})`;
      return `${places.get(overlayKey) ?? file}: ${coordinate}${by}: ${message}`;
    },
  };
  // A wrong value fits no schema: with the default in its place the field might cost a fraction of what was meant.
  const wrong = findValueMistakes(costs.overlay);
  if (wrong.length > 0) throw new CostsFileError(wrong.map(costs.describe));
  return costs;
}

/** What of a file does not fit a schema. */
export function findMisfits(schema: GraphQLSchema, { overlay }: CostsFile): SchemaProblem[] {
  return createCostAnalyzer(schema, { overlay })
    .check()
    .filter(({ overlayKey }) => overlayKey !== undefined);
}
