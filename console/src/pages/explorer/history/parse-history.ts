/** An operation that was priced in this browser. */
export interface PricedOperation {
  query: string;
  /** Text of the variables: JSON or empty. */
  variables: string;
  service: string | null;
  cost: number;
  /** Time of the last price, in ISO 8601. */
  pricedAt: string;
}

const MOST_OPERATIONS = 30;
/** Maximum length of all stored operations, and of one of them, in UTF-16 code units. */
const MOST_LETTERS = 64 * 1024;
export const MOST_LETTERS_OF_ONE = 16 * 1024;

/** Reads stored text. Another version, or a user, may have written anything. */
export function parseHistory(text: string | null): PricedOperation[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? bounded(stored.filter(isOperation)) : [];
  } catch {
    return [];
  }
}

function isOperation(value: unknown): value is PricedOperation {
  const { query, variables, service, cost, pricedAt } = (value ?? {}) as Partial<
    Record<keyof PricedOperation, unknown>
  >;
  return (
    typeof query === 'string' &&
    typeof variables === 'string' &&
    (service === null || typeof service === 'string') &&
    typeof cost === 'number' &&
    typeof pricedAt === 'string' &&
    !Number.isNaN(Date.parse(pricedAt))
  );
}

/** Returns the operations within the bounds: the first ones. */
export function bounded(operations: readonly PricedOperation[]): PricedOperation[] {
  const kept: PricedOperation[] = [];
  let letters = 0;
  for (const operation of operations.slice(0, MOST_OPERATIONS)) {
    letters += JSON.stringify(operation).length + 1;
    if (letters > MOST_LETTERS) break;
    kept.push(operation);
  }
  return kept;
}
