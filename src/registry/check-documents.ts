import { inSlices } from '../runtime/in-slices.js';
import type { DocumentPrice } from './price-document.js';

interface CheckOptions<Document> {
  documents: readonly Document[];
  /** Texts of the earlier version, with which the costs are compared. */
  earlier: AsyncIterable<string> | Iterable<string>;
  priceOf(text: string): DocumentPrice;
  /** Maximum worst case, in tokens. @default none */
  maxCost?: number | undefined;
  /** Largest allowed increase of a worst case, in percent. @default none */
  maxIncrease?: number | undefined;
}

/** Result of the check of one document. */
export interface CheckedDocument<Document> {
  readonly document: Document;
  /** Name of its first operation. */
  readonly name: string;
  readonly price: DocumentPrice;
  /** Price of the operation with this name in the earlier version; undefined if it has none. */
  readonly before: DocumentPrice | undefined;
  /** Reasons why the check fails; empty if it passes. */
  readonly problems: readonly string[];
}

/**
 * Checks documents on a schema, and compares their worst cases with those of an earlier version.
 * @returns the results in the order of the documents, and the operations that only the earlier
 * version has
 */
export async function checkDocuments<Document extends { text: string }>(
  options: CheckOptions<Document>,
): Promise<{ documents: CheckedDocument<Document>[]; removed: string[] }> {
  const { documents, priceOf } = options;
  const names = new Set(documents.map(({ text }) => nameOf(text)));
  const { prices, removed } = await priceEarlier(options, names);
  const checked: CheckedDocument<Document>[] = [];
  for await (const document of inSlices(documents)) {
    const price = priceOf(document.text);
    const name = nameOf(document.text);
    const before = price.errors.length > 0 ? undefined : prices.get(name);
    checked.push({ document, name, price, before, problems: findProblems(name, price, before, options) });
  }
  return { documents: checked, removed };
}

/** Prices the earlier operations with these names. An operation with another name was removed. */
async function priceEarlier(
  { earlier, priceOf }: Pick<CheckOptions<unknown>, 'earlier' | 'priceOf'>,
  names: ReadonlySet<string>,
): Promise<{ prices: Map<string, DocumentPrice>; removed: string[] }> {
  const texts: string[] = [];
  const removed = new Set<string>();
  for await (const text of earlier) {
    if (names.has(nameOf(text))) texts.push(text);
    else removed.add(nameOf(text));
  }
  const prices = new Map<string, DocumentPrice>();
  for await (const text of inSlices(texts)) {
    const price = priceOf(text);
    if (price.errors.length === 0) prices.set(nameOf(text), price);
  }
  return { prices, removed: [...removed] };
}

function findProblems(
  name: string,
  price: DocumentPrice,
  before: DocumentPrice | undefined,
  { maxCost, maxIncrease }: Pick<CheckOptions<unknown>, 'maxCost' | 'maxIncrease'>,
): readonly string[] {
  if (price.errors.length > 0) return price.errors;
  const problems: string[] = [];
  const cost = describePrice(price);
  if (maxCost !== undefined && worstCaseOf(price) > maxCost) problems.push(`${name} costs ${cost}, above ${maxCost}`);
  if (maxIncrease !== undefined && before !== undefined && increaseOf(before, price) > maxIncrease)
    problems.push(`${name} costs ${cost} instead of ${describePrice(before)}, above +${maxIncrease} %`);
  return problems;
}

/** Returns the name of the first operation, by which versions are compared. */
function nameOf(text: string): string {
  return /\b(?:query|mutation|subscription)\s+([_A-Za-z]\w*)/.exec(text)?.[1] ?? '(unnamed operation)';
}

/** Returns the worst case of a document as a text. */
export function describePrice({ worstCase, unbounded }: DocumentPrice): string {
  if (worstCase !== null) return String(worstCase);
  return `unbounded, because ${unbounded.map((name) => `$${name}`).join(', ')} has no maximum`;
}

function worstCaseOf({ worstCase }: DocumentPrice): number {
  return worstCase ?? Number.POSITIVE_INFINITY;
}

function increaseOf(before: DocumentPrice, after: DocumentPrice): number {
  const [from, to] = [worstCaseOf(before), worstCaseOf(after)];
  if (to <= from) return 0;
  return from === 0 ? Number.POSITIVE_INFINITY : ((to - from) / from) * 100;
}
