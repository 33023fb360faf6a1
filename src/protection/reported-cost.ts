import type { GraphQLSchema } from 'graphql';
import { isInterfaceType, isObjectType } from 'graphql';
import type { FieldSums } from '../cost/cost-plan.js';
import { show } from '../model/describe-problems.js';
import { MAX_COST } from '../model/limit-parameters.js';
import type { BoundLimit } from '../rules/matching/ruleset.js';
import type { Spent } from './operation.js';

/** Reports costs that are known only while an operation runs, such as the tokens of a model. */
export interface CostReporter {
  /**
   * Adds to the actual cost of the operation. The settlement charges this cost even if it leaves a
   * debt, the operation fails, or the client disconnects. Fractions are rounded up. At most
   * 2^31 - 1 tokens are charged per operation.
   * @param tokens number of tokens, at least 0
   * @param options `field`: coordinate (`Type.field`) that the cost belongs to, for rules on fields
   * and for usage. A field that the schema lacks causes a warning, and the cost counts without it.
   * @throws TypeError if `tokens` is not a number, or is negative
   */
  addCost(tokens: number, options?: { field?: string }): void;
}

/** Cost that was reported since the last settlement. */
interface Reported {
  readonly total: number;
  /** The part of it that names a field, by coordinate. */
  readonly byField: ReadonlyMap<string, number>;
}

const NO_FIELDS: ReadonlyMap<string, number> = new Map();

/** Collects the cost that the resolvers of one operation report. */
export class ReportedCost implements CostReporter {
  readonly #schema: GraphQLSchema;
  readonly #onUnknownField: (coordinate: string) => void;
  /** Sum of everything that was reported, up to `MAX_COST`. */
  #sum = 0;
  #total = 0;
  #byField: Map<string, number> | undefined;
  #onLate: (() => void) | undefined;

  constructor(schema: GraphQLSchema, onUnknownField: (coordinate: string) => void) {
    this.#schema = schema;
    this.#onUnknownField = onUnknownField;
  }

  addCost(tokens: number, { field }: { field?: string } = {}): void {
    if (typeof tokens !== 'number' || !(tokens >= 0)) {
      throw new TypeError(`addCost: tokens: expected a number from 0 to ${MAX_COST}, got ${show(tokens)}`);
    }
    const added = Math.min(Math.ceil(tokens), MAX_COST - this.#sum);
    if (added === 0) return;
    this.#sum += added;
    const isFirst = this.#total === 0;
    this.#total += added;
    if (field !== undefined) {
      if (hasField(this.#schema, field)) {
        this.#byField ??= new Map();
        this.#byField.set(field, (this.#byField.get(field) ?? 0) + added);
      } else this.#onUnknownField(String(field));
    }
    const onLate = this.#onLate;
    // Costs that are reported in the same turn of the event loop are charged together.
    if (onLate !== undefined && isFirst) setImmediate(onLate);
  }

  /** Returns the cost that was reported since the last call. */
  take(): Reported {
    const taken = { total: this.#total, byField: this.#byField ?? NO_FIELDS };
    this.#total = 0;
    this.#byField = undefined;
    return taken;
  }

  /** Declares that the operation is settled. Each later report causes a call of `onLate`. */
  settled(onLate: () => void): void {
    this.#onLate = onLate;
  }
}

/**
 * Sets the member `tollgate` of a context value, through which resolvers report costs. If the server
 * has set a member of this name, or if the context value cannot be extended, it stays unchanged.
 */
export function offerReporter(contextValue: object, reporter: ReportedCost): ReportedCost {
  const context = contextValue as { tollgate?: unknown };
  const isOwn = context.tollgate === undefined || context.tollgate instanceof ReportedCost;
  if (isOwn && !Object.isFrozen(context) && (Object.isExtensible(context) || 'tollgate' in context)) {
    context.tollgate = reporter;
  }
  return reporter;
}

function hasField(schema: GraphQLSchema, coordinate: unknown): boolean {
  const [typeName = '', fieldName = '', ...rest] = String(coordinate).split('.');
  const type = schema.getType(typeName);
  if (rest.length > 0 || !(isObjectType(type) || isInterfaceType(type))) return false;
  return Object.hasOwn(type.getFields(), fieldName);
}

/**
 * Returns the reported cost of each limit that counts tokens, by id. A limit on fields counts the
 * cost that was reported for these fields.
 */
export function reportedByLimit(limits: readonly BoundLimit[], { total, byField }: Reported): Record<string, number> {
  const added: Record<string, number> = {};
  for (const { id, measure, parameters, pattern } of limits) {
    if (measure !== 'COST' || parameters.algorithm === 'CONCURRENCY') continue;
    let sum = 0;
    if (pattern.wholeOperation) sum = total;
    else for (const [coordinate, cost] of byField) if (pattern.matches(coordinate)) sum += cost;
    if (sum > 0) added[id] = sum;
  }
  return added;
}

/** Returns the actual cost of an operation with the cost that its resolvers reported. */
export function withReported(spent: Spent, limits: readonly BoundLimit[], reported: Reported): Spent {
  const byLimit: Record<string, number> = { ...spent.byLimit };
  for (const [id, cost] of Object.entries(reportedByLimit(limits, reported))) byLimit[id] = sumOf(byLimit[id], cost);
  const fields = spent.fields && withFields(spent.fields, reported);
  return { ...spent, cost: sumOf(spent.cost, reported.total), byLimit, fields };
}

function withFields({ coordinates, calls, costs }: FieldSums, { byField }: Reported): FieldSums {
  if (byField.size === 0) return { coordinates, calls, costs };
  const sums = { coordinates: [...coordinates], calls: [...calls], costs: [...costs] };
  for (const [coordinate, cost] of byField) {
    const index = coordinates.indexOf(coordinate);
    if (index >= 0) sums.costs[index]! += cost;
    else {
      sums.coordinates.push(coordinate);
      sums.calls.push(0);
      sums.costs.push(cost);
    }
  }
  return sums;
}

function sumOf(one = 0, other = 0): number {
  return Math.min(MAX_COST, one + other);
}
