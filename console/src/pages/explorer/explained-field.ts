import { explorerText } from '../../text/explorer-text.js';

/** A field of an operation, as in `tree` of `costExplain`. */
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

/** One line of the list: a field and its depth. */
export interface FieldLine extends ExplainedField {
  depth: number;
}

/** Maximum number of lines. More lines add little information and take long to render. */
export const MOST_LINES = 300;

/** Returns the fields of an operation in document order. */
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

/**
 * Describes the size of the list that a field returns, and its source. Undefined: the field returns
 * no list.
 */
export function sizeInWords({ multiplier, multiplierFrom }: ExplainedField): string | undefined {
  const { kind, argument = '', variable = '' } = multiplierFrom;
  const { size } = explorerText;
  switch (kind) {
    case 'single':
      return undefined;
    case 'assumedSize':
      return size.annotated(multiplier);
    case 'literal':
      return size.argument(multiplier, argument);
    case 'default':
      return size.argumentDefault(multiplier, argument);
    case 'variable':
      return size.variable(multiplier, argument, variable);
    default:
      return size.default(multiplier);
  }
}
