import type { ValueNode } from 'graphql';
import type { OperationVariables } from '../compile/operation-variables.js';
import type { ListSizeSlot, SizeSource } from '../compile/read-size-sources.js';
import type { WrittenFormula } from '../price/compile-formula.js';
import { type FormulaValue, Op, type Sum } from '../price/formula-algebra.js';

/**
 * Maximum length of the text of a formula, in characters. A longer text is truncated. The text
 * repeats a shared fragment at each use, so its full length could grow exponentially.
 */
const MAX_LENGTH = 4000;

/** Returns a formula as readable text, such as `1 + $first * (2 + 3 * $comments)`. */
export function formulaText(
  { written: { draft }, total }: WrittenFormula,
  slots: readonly ListSizeSlot[],
  variables: OperationVariables,
): string {
  const names = variables.definitions.map((definition) => `$${definition.variable.name.value}`);
  let length = 0;

  function valueText(value: FormulaValue, isFactor: boolean): string {
    if (length > MAX_LENGTH) return '...';
    if (typeof value === 'number') return amountText(value);
    const terms = sumTerms(value);
    length += terms.length * 3;
    const text = terms.join(' + ').replaceAll('+ -', '- ');
    return isFactor && terms.length > 1 ? `(${text})` : text;
  }

  function sumTerms({ constant, factors, registers }: Sum): string[] {
    const terms = registers.map((register, at) => {
      const factor = factors[at]!;
      const text = registerText(register, factor !== 1);
      return factor === 1 ? text : `${amountText(factor)} * ${text}`;
    });
    return constant === 0 && terms.length > 0 ? terms : [amountText(constant), ...terms];
  }

  function registerText(register: number, isFactor: boolean): string {
    if (length > MAX_LENGTH) return '...';
    const { ops, left, right } = draft;
    const a = left[register]!;
    switch (ops[register]) {
      case Op.Size:
        return sizeText(slots[a]!, names);
      case Op.Included:
        return `[${names[a]}]`;
      case Op.Excluded:
        return `[not ${names[a]}]`;
      case Op.Weight: {
        const { argument } = draft.weights[a]!;
        return `weight(${argument.input.name}${argument.variable === -1 ? '' : `: ${names[argument.variable]}`})`;
      }
      case Op.Sum:
        return valueText(draft.sums[a]!, isFactor);
      case Op.Product:
        return `${registerText(a, true)} * ${registerText(right[register]!, true)}`;
      case Op.Maximum:
        return `max(${draft.maxima[a]!.map((each) => registerText(each, false)).join(', ')})`;
      default:
        return `complexity(${registerText(right[register]!, false)})`;
    }
  }

  const text = valueText(total, false);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}

function amountText(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}

/**
 * Returns the text of a list size, such as `$first` or `max($first, $last)`. If another size
 * decides which of two sizes applies, the text is `if($page.first, 10, $last)`.
 */
function sizeText(slot: ListSizeSlot, names: readonly string[]): string {
  const { choice } = slot;
  if (choice !== undefined) {
    const optionTexts = [choice.given, choice.absent].map(({ size }) =>
      typeof size === 'number' ? `${size}` : sizeText(size, names),
    );
    return `if(${[sizeText(choice.by, names), ...optionTexts].join(', ')})`;
  }
  const texts = [...new Set(sizeTexts(slot, names))];
  return texts.length === 1 ? texts[0]! : `max(${texts.join(', ')})`;
}

function sizeTexts({ model, sources, above, page }: ListSizeSlot, names: readonly string[]): string[] {
  const fromAbove = above === undefined ? [] : typeof above === 'number' ? [`${above}`] : sizeTexts(above, names);
  if (model.pageSizeWins && page === undefined && fromAbove.length > 0) return fromAbove;
  const least = Math.max(page?.least ?? 0, model.exactLevels < 0 ? model.fallbackSize : 0);
  return [
    ...(least > 0 ? [`${least}`] : []),
    ...fromAbove,
    ...sources.flatMap((source) => sourceText(source, names) ?? []),
  ];
}

/**
 * Returns the text of a size source: a variable such as `$first` or `$page.first`, a literal
 * number, or the name of the argument. Returns undefined if the operation does not set the size.
 * @param names names of the operation's variables with their `$`
 */
export function sourceText({ path, argument }: SizeSource, names: readonly string[]): string | undefined {
  if (argument.variable !== -1) return [names[argument.variable], ...path.below].join('.');
  const node = argument.node && follow(argument.node, path.below);
  if (node === undefined) return undefined;
  return node.kind === 'Variable' ? `$${node.name.value}` : node.kind === 'IntValue' ? node.value : path.argument.name;
}

/** Returns the literal at a path. If the path leads into a variable, returns the variable. */
function follow(node: ValueNode, path: readonly string[]): ValueNode | undefined {
  const [name, ...below] = path;
  if (name === undefined || node.kind !== 'ObjectValue') return node;
  const field = node.fields.find((each) => each.name.value === name);
  return field && follow(field.value, below);
}
