import { type DocumentNode, print } from 'graphql';
import type { CompiledOperation } from '../compile/compiled-operation.js';
import type { ResolvedProfile } from '../settings/cost-profile.js';
import { createPortableInputs } from './create-portable-inputs.js';
import { hashOperation } from './hash-operation.js';
import type { PortableInputs, PortablePrice } from './portable-price.js';
import { writePortablePrice } from './write-portable-price.js';

/** Prices by operation as JSON, as written by `tollgate cost --manifest`. */
export interface CostManifest {
  readonly version: 1;
  /** Minimum cost of an operation. */
  readonly minimumCost: number;
  /**
   * Divisor that converts the sum of a formula to the price: 100 in the profile `github`, otherwise
   * 1.
   */
  readonly per: number;
  readonly inputs: PortableInputs;
  /** Prices by the hash of the operation with the fragments that it uses. */
  readonly operations: Readonly<Record<string, PortablePrice>>;
}

export interface ManifestOperation {
  readonly document: DocumentNode;
  /** @default the only operation of the document */
  readonly operationName?: string | null | undefined;
}

export interface WrittenManifest {
  readonly manifest: CostManifest;
  /**
   * Operations that are not in the manifest, because their price cannot be written as a formula.
   * Clients get their price from responses.
   */
  readonly missing: readonly MissingOperation[];
}

export interface MissingOperation extends ManifestOperation {
  readonly reason: string;
}

interface ManifestSources {
  read(document: DocumentNode, operationName: string | null): CompiledOperation;
  readonly profile: ResolvedProfile;
  readonly minimumCost: number;
}

export function createCostManifest(
  operations: Iterable<ManifestOperation>,
  { read, profile, minimumCost }: ManifestSources,
): WrittenManifest {
  const written = createPortableInputs();
  const prices = new Map<string, PortablePrice>();
  const missing: MissingOperation[] = [];
  for (const operation of operations) {
    const { document, operationName = null } = operation;
    const price = writePortablePrice(read(document, operationName), profile.tariffs, written);
    const hash = hashOperation(print(document), operationName);
    if (typeof price === 'object' && 'reason' in price) missing.push({ ...operation, reason: price.reason });
    else if (hash !== undefined) prices.set(hash, price);
  }
  const { inputs } = written;
  // Sort the hashes, so that a manifest under version control changes only where a price changes.
  const byHash = Object.fromEntries([...prices].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { manifest: { version: 1, minimumCost, per: profile.per, inputs, operations: byHash }, missing };
}
