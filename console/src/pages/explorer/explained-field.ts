/** A field of an operation, as `tree` of `costExplain` has it. */
export interface ExplainedField {
  path: string;
  coordinate: string;
  weight: number;
  itemWeight: number;
  multiplier: number;
  multiplierFrom: { kind: string; argument?: string; variable?: string };
  calls: number;
  ownCost: number;
  cost: number;
  fields: readonly ExplainedField[];
}

/** One line of the list: a field, and how deep it stands. */
export interface FieldLine extends ExplainedField {
  depth: number;
}

/** So many lines are shown: what is beyond tells little, and takes long to draw. */
export const MOST_LINES = 300;

/** The fields of an operation in the order in which it names them. */
export function linesOf(tree: unknown): FieldLine[] {
  const lines: FieldLine[] = [];
  const add = (fields: readonly ExplainedField[], depth: number): void => {
    for (const field of fields) {
      if (lines.length >= MOST_LINES) return;
      lines.push({ ...field, depth });
      add(field.fields, depth + 1);
    }
  };
  add((tree as { fields?: readonly ExplainedField[] } | null)?.fields ?? [], 0);
  return lines;
}

/** How long the list is that a field returns, and why; undefined: it is no list. */
export function sizeInWords({ multiplier, multiplierFrom }: ExplainedField): string | undefined {
  const { kind, argument, variable } = multiplierFrom;
  switch (kind) {
    case 'single':
      return undefined;
    case 'assumedSize':
      return `${multiplier}, as the schema assumes`;
    case 'literal':
      return `${multiplier}, by ${argument}`;
    case 'default':
      return `${multiplier}, the default of ${argument}`;
    case 'variable':
      return `${multiplier}, by ${argument}: ${variable}`;
    default:
      return `${multiplier}, a guess: nothing says how long it is`;
  }
}
