import { createFormula, type Manifest } from './cost-formula.js';
import { hashOperation } from './hash-operation.js';
import type { PriceOf } from './pacer.js';

export type { Manifest } from './cost-formula.js';

/** Maximum number of documents whose formulas are cached. */
const MAX_KEPT = 1000;

/**
 * Returns the exact prices of operations before they are sent, from a manifest of `tollgate cost
 * --manifest`. For operations that are not in the manifest, the pacer learns the price from
 * responses. If a response contradicts a price, the pacer no longer uses that price, because the
 * manifest may belong to another schema.
 * @throws TypeError if the value is not a manifest, or is a manifest of a later version
 */
export function createManifestPrices(manifest: Manifest): PriceOf {
  if (manifest?.version !== 1 || typeof manifest.operations !== 'object') {
    throw new TypeError(
      'createManifestPrices: expected the output of `tollgate cost --manifest`: { "version": 1, "operations": ... }',
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
      return undefined; // The manifest is damaged, or the API will reject the variables.
    }
  };
}
