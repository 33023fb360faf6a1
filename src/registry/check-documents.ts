import { inSlices } from '../runtime/in-slices.js';
import type { DocumentPrice } from './price-document.js';

interface CheckOptions<Document> {
  documents: Iterable<Document> | AsyncIterable<Document>;
  /** Texts of the version to compare with, by the names of their operations. */
  earlier: ReadonlyMap<string, string>;
  priceOf(text: string): DocumentPrice;
  /** Maximum worst case, in tokens. @default none */
  maxCost?: number | undefined;
  /** Largest allowed increase of a worst case, in percent. @default none */
  maxIncrease?: number | undefined;
}

/** Result of the check of one document. */
export interface CheckedDocument<Document> {
  readonly document: Document;
  /** Name of its first operation, by which versions are compared. */
  readonly name: string;
  readonly price: DocumentPrice;
  /** Price of the operation with this name in the earlier version; undefined if it has none. */
  readonly before: DocumentPrice | undefined;
  /** Reasons why the check fails; empty if it passes. */
  readonly problems: readonly string[];
}

/** Checks documents on a schema, and compares their worst cases with those of an earlier version. */
export async function* checkDocuments<Document extends { text: string }>({
  documents,
  earlier,
  priceOf,
  ...maxima
}: CheckOptions<Document>): AsyncGenerator<CheckedDocument<Document>> {
  for await (const document of inSlices(documents)) {
    const name = nameOf(document.text);
    const price = priceOf(document.text);
    const text = price.errors.length > 0 ? undefined : earlier.get(name);
    const priced = text === undefined ? undefined : priceOf(text);
    const before = priced && priced.errors.length === 0 ? priced : undefined;
    yield { document, name, price, before, problems: findProblems({ name, price, before }, maxima) };
  }
}

/** Returns texts by the names of their operations, for `CheckOptions.earlier`. */
export async function byName(texts: Iterable<string> | AsyncIterable<string>): Promise<Map<string, string>> {
  const named = new Map<string, string>();
  for await (const text of texts) named.set(nameOf(text), text);
  return named;
}

function findProblems(
  { name, price, before }: Pick<CheckedDocument<unknown>, 'name' | 'price' | 'before'>,
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
