import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { MAX_COST } from '../model/limit.js';
import { createObjectNotes } from './attach-to-object.js';
import { compileOperation } from './compile/compile-operation.js';
import { findOperation } from './compile/find-operation.js';
import { readFragments } from './compile/fragments.js';
import { readOperationVariables } from './compile/variables.js';
import type { CostPlan } from './cost-plan.js';
import { createCostPlan } from './create-cost-plan.js';
import { type CostProfile, type ProfileName, resolveProfile } from './profile.js';
import { type CostOverlay, createAnnotations, type SchemaProblem } from './schema/annotations.js';
import { checkCostSchema } from './schema/check-annotations.js';
import { createSchemaModel } from './schema/create-schema-model.js';
import { createFieldPrices, type FieldPrice } from './schema/field-price.js';

export interface CostAnalyzerOptions {
  /** Default weights and how they combine. @default 'tokens' */
  profile?: ProfileName | CostProfile;
  /** The size of a list of which nothing is known. @default 10 */
  defaultListSize?: number;
  /** The least that an operation costs. @default 1 */
  minimumCost?: number;
  /** Annotations by schema coordinate, for a schema that is not ours; they win over those in the schema. */
  overlay?: CostOverlay;
  /** Sizes Relay connections by `first` and `last` without annotations. @default only in profile `github` */
  inferConnections?: boolean;
  /**
   * Whether `__schema` and `__type` cost like other selections, or nothing, or so many tokens each, whatever is asked of
   * them. What costs nothing can be asked a hundred times over in one operation. @default 'priced'
   */
  introspection?: 'priced' | 'exempt' | number;
  /** The size of the lists of introspection. @default defaultListSize */
  introspectionListSize?: number;
  /** Steps of work past which an operation is refused; a field selection takes one or two. @default 25_000 */
  maxCompileSteps?: number;
  /** How many plans are kept by the hash of their document. @default 1000 */
  maxCachedPlans?: number;
}

export interface CostAnalyzer {
  /**
   * The plan of one operation. Kept for as long as the document lives; with `documentHash` also for other documents of
   * that hash, as where a store returns new ones each time.
   * @param documentHash must differ whenever the document does
   * @throws CostError OPERATION_TOO_COMPLEX, and BAD_USER_INPUT when no such operation is there
   */
  compile(document: DocumentNode, operationName?: string | null, documentHash?: string): CostPlan;
  /** What is wrong with the annotations of the schema, and what is missing. */
  check(): readonly SchemaProblem[];
  /** How many plans were asked for that were kept, and how many that had to be built. */
  readonly plans: Readonly<{ found: number; built: number }>;
  /** What of the price of a field can be set; null for a coordinate that the schema does not have. */
  fieldPrice(coordinate: string): FieldPrice | null;
}

/** Most documents have one operation: others get a map when they come. */
interface DocumentPlans {
  readonly operationName: string | null;
  readonly plan: CostPlan;
  others: Map<string | null, CostPlan> | undefined;
}

/**
 * Prices operations of a schema.
 * @throws TypeError for options out of range
 */
export function createCostAnalyzer(schema: GraphQLSchema, options: CostAnalyzerOptions = {}): CostAnalyzer {
  const defaultListSize = whole('defaultListSize', options.defaultListSize ?? 10, 0);
  const introspectionListSize = whole('introspectionListSize', options.introspectionListSize ?? defaultListSize, 0);
  const minimumCost = whole('minimumCost', options.minimumCost ?? 1, 0);
  const maxSteps = whole('maxCompileSteps', options.maxCompileSteps ?? 25_000, 1);
  const maxCachedPlans = whole('maxCachedPlans', options.maxCachedPlans ?? 1000, 1);
  const profile = resolveProfile(options.profile ?? 'tokens');
  const inferConnections = options.inferConnections ?? profile.inferConnections;
  const { overlay } = options;
  const model = createSchemaModel(schema, {
    annotations: createAnnotations({ overlay, inferConnections }),
    defaultListSize,
    introspectionListSize,
    introspectionPrice: flatPriceOf(options.introspection),
  });
  const byDocument = createObjectNotes<DocumentNode, DocumentPlans>();
  const plans = { found: 0, built: 0 };
  const byHash = new LRUCache<string, CostPlan>({ max: maxCachedPlans });

  function build(document: DocumentNode, operationName: string | null): CostPlan {
    const operation = findOperation(document, operationName);
    const variables = readOperationVariables(schema, operation.variableDefinitions ?? []);
    const fragments = readFragments(model, document);
    const compiled = compileOperation({ model, fragments, operation, variables, maxSteps });
    return createCostPlan({ compiled, profile, minimumCost, document, schema });
  }

  function compile(document: DocumentNode, operationName: string | null = null, documentHash?: string): CostPlan {
    const ofDocument = byDocument.get(document);
    const known =
      ofDocument?.operationName === operationName ? ofDocument.plan : ofDocument?.others?.get(operationName);
    if (known) {
      plans.found++;
      return known;
    }
    // Unlike names, hashes have no quotation marks in them: no two pairs make one key.
    const key = documentHash && `${documentHash}${JSON.stringify(operationName)}`;
    const kept = key && byHash.get(key);
    const plan = kept || build(document, operationName);
    if (kept) plans.found++;
    else plans.built++;
    if (key) byHash.set(key, plan);
    if (ofDocument === undefined) {
      byDocument.set(document, { operationName, plan, others: undefined });
    } else {
      ofDocument.others ??= new Map();
      ofDocument.others.set(operationName, plan);
    }
    return plan;
  }

  return {
    compile,
    plans,
    check: () => checkCostSchema(schema, { overlay, inferConnections }),
    fieldPrice: createFieldPrices(model),
  };
}

/** Undefined: no flat one. */
function flatPriceOf(introspection: CostAnalyzerOptions['introspection']): number | undefined {
  if (introspection === undefined || introspection === 'priced') return undefined;
  if (introspection === 'exempt') return 0;
  if (typeof introspection === 'number') return whole('introspection', introspection, 0);
  throw new TypeError(`introspection: expected priced, exempt, or a whole number of tokens, got ${introspection}`);
}

function whole(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= MAX_COST) return value;
  throw new TypeError(`${name}: expected a whole number of ${least} or more, got ${value}`);
}
