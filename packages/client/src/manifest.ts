import { createFormula, type Manifest } from './cost-formula.js';
import { hashOperation } from './hash-operation.js';
import type { PriceOf } from './pacer.js';

export type { Manifest } from './cost-formula.js';

/** Documents whose formulas are kept. */
const MAX_KEPT = 1000;

/**
 * Exact prices of operations before they are sent, by a manifest that `tollgate cost --manifest` wrote. What is not in it has
 * no price here, and is learned; and a price that an answer contradicts is not asked for again: its schema is another one.
 * @throws TypeError for what is no manifest, or one of a later version
 */
export function createManifestPrices(manifest: Manifest): PriceOf {
  if (manifest?.version !== 1 || typeof manifest.operations !== 'object') {
    throw new TypeError(
      'createManifestPrices: expected what `tollgate cost --manifest` writes: { "version": 1, "operations": ... }',
    );
  }
  const known = new Map<string, ((variables: unknown) => number | undefined) | undefined>();
  return ({ document, operationName, variables }) => {
    const key = `${operationName ?? ''}\n${document}`;
    if (!known.has(key)) {
      if (known.size >= MAX_KEPT) known.clear();
      const hash = hashOperation(document, operationName);
      const isThere = hash !== undefined && Object.hasOwn(manifest.operations, hash);
      known.set(key, isThere ? createFormula(manifest, manifest.operations[hash]!) : undefined);
    }
    try {
      return known.get(key)?.(variables);
    } catch {
      return undefined; // Not what a manifest holds, or variables that the API will refuse.
    }
  };
}
