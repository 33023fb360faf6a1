import type { ExplainedField, Explanation, MultiplierSource } from '../../../cost/explain/explain-operation.js';

/**
 * Formats an explanation as a table for people: one line for each field, with its subfields
 * indented.
 */
export function explanationTable({ cost, rootCost, formula, fields, mostExpensive, isTruncated }: Explanation): string {
  const header = ['field', 'weight', 'item', 'items', 'calls', 'own', 'with below'];
  const rows = fields.flatMap((field) => rowsOf(field, 0));
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    row
      // Align text to the left, numbers to the right.
      .map((cell, column) =>
        column === 0 || column === 3 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd();
  return [
    `cost ${cost} = ${formula}`,
    ...(rootCost === 0 ? [] : [`including ${rootCost} for the operation itself`]),
    '',
    line(header),
    ...rows.map(line),
    ...(isTruncated ? ['... (cut off)'] : []),
    ...(mostExpensive.length === 0
      ? []
      : ['', 'most expensive:', ...mostExpensive.map((each) => `  ${each.cost}  ${each.path}`)]),
    '',
  ].join('\n');
}

function rowsOf(field: ExplainedField, depth: number): string[][] {
  const { path, coordinate, weight, itemWeight, runtimeType, calls, ownCost, cost, fields } = field;
  const name = path.slice(path.lastIndexOf('.') + 1);
  const type = runtimeType === undefined ? '' : `, ${runtimeType}`;
  const row = [
    `${'  '.repeat(depth)}${name} (${coordinate}${type})`,
    String(weight),
    String(itemWeight),
    `${itemsText(field.multiplier, field.multiplierFrom)}${mostText(field)}`,
    String(calls),
    String(ownCost),
    String(cost),
  ];
  return [row, ...fields.flatMap((each) => rowsOf(each, depth + 1))];
}

function mostText({ maxSize }: ExplainedField): string {
  return maxSize === undefined ? '' : `, at most ${maxSize}`;
}

function itemsText(multiplier: number, source: MultiplierSource): string {
  switch (source.kind) {
    case 'single':
      return '1';
    case 'assumedSize':
      return `${multiplier} assumed`;
    case 'fallback':
      return `${multiplier} by default list size`;
    case 'default':
      return `${multiplier} default of ${source.argument}`;
    case 'literal':
      return `${multiplier} ${source.argument}`;
    case 'variable':
      return `${multiplier} ${source.argument}: ${source.variable}`;
  }
}
