import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { documentBytes } from '../model/document-bytes.js';
import { findMistakes, rejectMistakes } from '../options/find-mistakes.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import { createAnnotations } from './annotations/annotations.js';
import { readDirectiveNames } from './annotations/directive-names.js';
import { readInference } from './annotations/infer-list-size.js';
import type { SchemaProblem } from './annotations/schema-problem.js';
import { type CheckedSchema, checkCostSchema } from './check/check-cost-schema.js';
import { type GuessGroup, groupGuesses } from './check/group-guesses.js';
import { compileOperation } from './compile/compile-operation.js';
import type { CompiledOperation } from './compile/compiled-operation.js';
import { readFragments } from './compile/fragments.js';
import { readOperationVariables } from './compile/operation-variables.js';
import type { CostPlan } from './cost-plan.js';
import { createCostPlan } from './create-cost-plan.js';
import { findOperation } from './find-operation.js';
import { findSchemaMistakes } from './find-schema-mistakes.js';
import { createCostManifest, type ManifestOperation, type WrittenManifest } from './manifest/create-cost-manifest.js';
import { type ExpandedOverlay, expandOverlay } from './overlay/expand-overlay.js';
import { listPrice } from './price/list-price.js';
import { createSchemaModel } from './schema/create-schema-model.js';
import { createFieldPrices, type FieldListing, type FieldPrice, listFields } from './schema/field-price.js';
import { COST_ANALYZER_OPTIONS, type CostAnalyzerOptions } from './settings/cost-analyzer-options.js';
import { defaultProfile, MINIMUM_COST, type ResolvedProfile, resolveProfile } from './settings/cost-profile.js';

export interface CostAnalyzer {
  /**
   * Returns the cost plan of one operation. The plan is cached as long as the document object
   * exists. With `documentHash`, the plan is also returned for other document objects with that
   * hash. Pass the hash if the document store returns a new object each time.
   * @param documentHash hash of the document. Different documents must have different hashes.
   * @throws CostError OPERATION_TOO_COMPLEX, or BAD_USER_INPUT if there is no such operation
   */
  compile(document: DocumentNode, operationName?: string | null, documentHash?: string): CostPlan;
  /**
   * Removes the plans of a document from the cache whose keys contain the document hash. The plans
   * then exist only as long as the document object. If `isToBeKept` returns true for any of them,
   * removes none and returns false.
   */
  forget(document: DocumentNode, documentHash?: string, isToBeKept?: (plan: CostPlan) => boolean): boolean;
  /** Number and estimated heap size in bytes of the plans cached by document hash. */
  cachedPlans(): Readonly<{ count: number; bytes: number }>;
  /**
   * Returns the prices of operations as data, so that clients can compute a price before they send
   * an operation: see `tollgate-client/manifest`.
   * @throws CostError OPERATION_TOO_COMPLEX, or BAD_USER_INPUT if there is no such operation
   */
  manifest(operations: Iterable<ManifestOperation>): WrittenManifest;
  /** Returns the mistakes in annotations, and warnings, for example about missing annotations. */
  check(): readonly SchemaProblem[];
  /**
   * Returns the lists that are priced by the default list size, grouped by their names. Each group
   * has the overlay entries that set a size for its lists.
   */
  guesses(): readonly GuessGroup[];
  /** Number of `compile` calls that returned a cached plan, and of those that built a new plan. */
  readonly plans: Readonly<{ found: number; built: number }>;
  /**
   * Returns the weight and the assumed list size of a field. Returns null for a coordinate that the
   * schema does not have.
   */
  fieldPrice(coordinate: string): FieldPrice | null;
  /**
   * Returns all fields of object types with their weights and the sources of their list sizes,
   * sorted by coordinate.
   */
  fields(): readonly FieldListing[];
}

/**
 * Estimated heap size of a plan per compile step, in bytes. It excludes the document and includes
 * the measures and counters of the plan.
 */
const BYTES_PER_STEP = 200;
/** Estimated heap size of a plan without the part that depends on its steps, in bytes. */
const PLAN_BYTES = 6000;

interface BuiltPlan {
  readonly plan: CostPlan;
  /** Estimated heap size, in bytes. */
  readonly bytes: number;
}

/**
 * Plans of one document. Most documents have one operation, so the map for others is created only
 * when needed.
 */
interface DocumentPlans {
  readonly operationName: string | null;
  readonly plan: CostPlan;
  others: Map<string | null, CostPlan> | undefined;
}

/**
 * Creates an analyzer that prices the operations of a schema.
 * @throws TypeError that lists every mistake in the options. If the schema is not a GraphQLSchema,
 * the message explains how to pass one.
 */
export function createCostAnalyzer(schema: GraphQLSchema, options: CostAnalyzerOptions = {}): CostAnalyzer {
  rejectMistakes('createCostAnalyzer', [
    ...findSchemaMistakes(schema, 'schema'),
    ...findMistakes(options, COST_ANALYZER_OPTIONS),
  ]);
  const { maxCompileSteps: maxSteps = 5000, maxCachedPlans = 1000, maxCachedPlanBytes = 32 * 2 ** 20 } = options;
  const estimators = options.estimators ?? [];
  const profile = resolveProfile(options.profile ?? defaultProfile(options));
  const { requiresSlicing, pageSizeWins } = profile;
  const { defaultListSize = profile.defaultListSize, minimumCost = MINIMUM_COST } = options;
  const { introspectionListSize = defaultListSize } = options;
  const readings = {
    names: readDirectiveNames(schema),
    inference: readInference(options, profile),
    schema,
  };
  const overlay = expandOverlay(schema, options, readings);
  const modelOf = (prices: ExpandedOverlay['prices']) =>
    createSchemaModel(schema, {
      annotations: createAnnotations({ ...readings, overlay: prices }),
      defaultListSize,
      requiresSlicing,
      pageSizeWins,
      introspectionListSize,
      introspectionPrice: flatPriceOf(options, profile),
      estimators,
    });
  const model = modelOf(overlay.prices);
  const byDocument = createObjectNotes<DocumentNode, DocumentPlans>();
  const plans = { found: 0, built: 0 };
  const byHash = new LRUCache<string, BuiltPlan>({
    max: maxCachedPlans,
    maxSize: maxCachedPlanBytes,
    sizeCalculation: ({ bytes }) => bytes,
  });

  function read(document: DocumentNode, operationName: string | null): CompiledOperation {
    const operation = findOperation(document, operationName);
    const variables = readOperationVariables(schema, operation.variableDefinitions ?? []);
    const fragments = readFragments(model, document);
    return compileOperation({ model, fragments, operation, variables, maxSteps });
  }

  function build(document: DocumentNode, operationName: string | null): BuiltPlan {
    const compiled = read(document, operationName);
    const bytes = Math.ceil(documentBytes(document) + PLAN_BYTES + compiled.steps * BYTES_PER_STEP);
    return { plan: createCostPlan({ compiled, profile, minimumCost, document, model, compile: compileAlone }), bytes };
  }

  /** Compiles the only operation of a document without caching its plan. */
  const compileAlone = (document: DocumentNode): CostPlan => build(document, null).plan;

  function compile(document: DocumentNode, operationName: string | null = null, documentHash?: string): CostPlan {
    const ofDocument = byDocument.get(document);
    const known =
      ofDocument?.operationName === operationName ? ofDocument.plan : ofDocument?.others?.get(operationName);
    if (known) {
      plans.found++;
      return known;
    }
    const key = documentHash && keyOf(documentHash, operationName);
    const kept = key ? byHash.get(key) : undefined;
    const built = kept ?? build(document, operationName);
    if (kept) plans.found++;
    else {
      plans.built++;
      if (key) byHash.set(key, built);
    }
    const { plan } = built;
    if (ofDocument === undefined) {
      byDocument.set(document, { operationName, plan, others: undefined });
    } else {
      ofDocument.others ??= new Map();
      ofDocument.others.set(operationName, plan);
    }
    return plan;
  }

  function forget(document: DocumentNode, documentHash?: string, isToBeKept?: (plan: CostPlan) => boolean): boolean {
    const ofDocument = byDocument.get(document);
    if (ofDocument === undefined) return true;
    const all = new Map([[ofDocument.operationName, ofDocument.plan], ...(ofDocument.others ?? [])]);
    if (isToBeKept && [...all.values()].some(isToBeKept)) return false;
    if (documentHash) for (const operationName of all.keys()) byHash.delete(keyOf(documentHash, operationName));
    return true;
  }

  function checkSchema(): CheckedSchema {
    return checkCostSchema(schema, {
      ...readings,
      overlay,
      modelOf,
      tariffs: profile.tariffs,
      mistakesOfOverlay: options.overlayMistakes === 'silent' ? 'warning' : options.overlayMistakes,
      defaultListSize,
      requiresSlicing,
    });
  }

  return {
    compile,
    forget,
    plans,
    manifest: (operations) => createCostManifest(operations, { read, profile, minimumCost }),
    check: () => checkSchema().problems,
    guesses: () => groupGuesses(checkSchema().guesses, { schema, overlay: options.overlay, defaultListSize }),
    fieldPrice: createFieldPrices(model),
    fields: () => listFields(model, (field) => listPrice(field, profile)),
    cachedPlans: () => ({ count: byHash.size, bytes: byHash.calculatedSize }),
  };
}

/**
 * Default price of introspection, in tokens. Tools query the whole schema in one operation, which
 * would cost thousands of tokens if it were priced like other fields.
 */
const INTROSPECTION_PRICE = 10;

/**
 * Returns the flat price of introspection, or undefined if its fields are priced like other fields.
 */
function flatPriceOf(
  { introspection, introspectionListSize }: CostAnalyzerOptions,
  { pricesIntrospection }: ResolvedProfile,
): number | undefined {
  if (introspection === undefined) {
    return introspectionListSize === undefined && !pricesIntrospection ? INTROSPECTION_PRICE : undefined;
  }
  if (introspection === 'priced') return undefined;
  if (introspection === 'exempt') return 0;
  return introspection;
}

/**
 * Returns the cache key of an operation. Hashes contain no quotation marks, so different arguments
 * have different keys.
 */
function keyOf(documentHash: string, operationName: string | null): string {
  return `${documentHash}${JSON.stringify(operationName)}`;
}
