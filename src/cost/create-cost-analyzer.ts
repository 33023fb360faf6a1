import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { documentBytes } from '../model/document-bytes.js';
import { findMistakes, refuseMistakes } from '../options/find-mistakes.js';
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
import { createSchemaModel } from './schema/create-schema-model.js';
import { createFieldPrices, type FieldListing, type FieldPrice, listFields } from './schema/field-price.js';
import { COST_ANALYZER_OPTIONS, type CostAnalyzerOptions } from './settings/cost-analyzer-options.js';
import { defaultProfile, MINIMUM_COST, type ResolvedProfile, resolveProfile } from './settings/cost-profile.js';

export interface CostAnalyzer {
  /**
   * The plan of one operation. Kept for as long as the document lives; with `documentHash` also for other documents of
   * that hash, as where a store returns new ones each time.
   * @param documentHash must differ whenever the document does
   * @throws CostError OPERATION_TOO_COMPLEX, and BAD_USER_INPUT when no such operation is there
   */
  compile(document: DocumentNode, operationName?: string | null, documentHash?: string): CostPlan;
  /**
   * Lets go of the plans of a document: they then live no longer than it does. Where one of them is to be kept, all are,
   * and the answer is false.
   */
  forget(document: DocumentNode, documentHash?: string, isToBeKept?: (plan: CostPlan) => boolean): boolean;
  /** What the plans that are kept by the hash of their document come to. */
  readonly cachedPlans: Readonly<{ count: number; bytes: number }>;
  /**
   * The prices of operations as data, by which clients know them before sending: see `tollgate-client/manifest`.
   * @throws CostError OPERATION_TOO_COMPLEX, and BAD_USER_INPUT when no such operation is there
   */
  manifest(operations: Iterable<ManifestOperation>): WrittenManifest;
  /** What is wrong with the annotations of the schema, and what is missing. */
  check(): readonly SchemaProblem[];
  /** The lists whose size is a guess, grouped by their names, each group with the entries of an overlay that size its lists. */
  guesses(): readonly GuessGroup[];
  /** How many plans were asked for that were kept, and how many that had to be built. */
  readonly plans: Readonly<{ found: number; built: number }>;
  /** What of the price of a field can be set; null for a coordinate that the schema does not have. */
  fieldPrice(coordinate: string): FieldPrice | null;
  /** All fields of object types with their weights, and where the sizes of lists come from; by coordinate. */
  fields(): readonly FieldListing[];
}

/** What a plan keeps alive besides its document, for each step that compiling it took, and with it those who measure and count by it. */
const BYTES_PER_STEP = 200;
const PLAN_BYTES = 6000;

interface BuiltPlan {
  readonly plan: CostPlan;
  /** Of the heap, estimated. */
  readonly bytes: number;
}

/** Most documents have one operation: others get a map when they come. */
interface DocumentPlans {
  readonly operationName: string | null;
  readonly plan: CostPlan;
  others: Map<string | null, CostPlan> | undefined;
}

/**
 * Prices operations of a schema.
 * @throws TypeError that lists every mistake in the options, and says what to pass where the schema is none
 */
export function createCostAnalyzer(schema: GraphQLSchema, options: CostAnalyzerOptions = {}): CostAnalyzer {
  refuseMistakes('createCostAnalyzer', [
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
    return { plan: createCostPlan({ compiled, profile, minimumCost, document, model }), bytes };
  }

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
    fields: () => listFields(model),
    get cachedPlans() {
      return { count: byHash.size, bytes: byHash.calculatedSize };
    },
  };
}

/** Tools ask for all of a schema in one operation, which is thousands of tokens where it is priced like others. */
const INTROSPECTION_PRICE = 10;

/** Undefined: no flat one. */
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

/** Unlike names, hashes have no quotation marks in them: no two pairs make one key. */
function keyOf(documentHash: string, operationName: string | null): string {
  return `${documentHash}${JSON.stringify(operationName)}`;
}
