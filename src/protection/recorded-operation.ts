import type { CostMeasure, CostPlan, FieldSums, MeasuredCost } from '../cost/cost-plan.js';
import type { LimitState } from '../model/limit-parameters.js';
import {
  RECORDED_AMOUNTS,
  type RecordedAmount,
  type RecordedFields,
  type RecordedLimit,
  type RecordedOutline,
  type UsageRecord,
} from '../model/usage-record.js';
import type { BoundLimit } from '../rules/matching/ruleset.js';
import type { LimitOutcome } from './answer/limit-outcome.js';
import type { Operation } from './operation.js';

/**
 * An operation as the usage recorder reads it. Values that the recorder rarely needs are computed
 * on access.
 */
export class RecordedOperation implements UsageRecord {
  readonly atMs: number;
  readonly durationMs: number;
  readonly estimatedCost: number;
  readonly actualCost: number | undefined;
  readonly batchId: number | undefined;
  readonly #operation: Operation;
  #limits: readonly RecordedLimit[] | undefined;

  constructor(operation: Operation, batchId: number | undefined, nowMs: number) {
    const { startedMs, requestedCost, record, spent } = operation;
    this.durationMs = performance.now() - startedMs;
    this.atMs = Math.floor(nowMs - this.durationMs);
    this.estimatedCost = record && record.denial === undefined ? record.chargedCost : requestedCost;
    this.actualCost = spent?.cost;
    this.batchId = batchId;
    this.#operation = operation;
  }

  get subject() {
    return this.#operation.subject;
  }
  get tier() {
    return this.#operation.tier.name;
  }
  get operationType() {
    return this.#operation.operationType;
  }
  get operationName() {
    return this.#operation.operationName;
  }
  get client() {
    return this.#operation.client;
  }
  get isAgent() {
    return this.#operation.isAgent;
  }
  get askedBy() {
    return this.#operation.askedBy;
  }
  get document() {
    return this.#operation.registered ?? null;
  }
  get denial() {
    return this.#operation.record?.denial;
  }
  get deniedBy() {
    return this.#operation.record?.deniedBy;
  }
  get degraded() {
    return this.#operation.decision?.degraded ?? false;
  }

  get outline(): RecordedOutline {
    const { costPlan, plan } = this.#operation;
    return {
      plan: costPlan,
      documentLength: costPlan.documentLength,
      document: () => costPlan.outline(),
      variables: () => plan.outlineVariables(),
    };
  }

  get limits(): readonly RecordedLimit[] {
    this.#limits ??= limitsOf(this.#operation);
    return this.#limits;
  }

  forgetResponse(): void {
    const { spent } = this.#operation;
    if (spent) spent.response = undefined;
  }

  get fields(): RecordedFields | undefined {
    return this.#operation.validateOnly ? undefined : fieldsOf(this.#operation);
  }
}

function limitsOf({ bound, decision, states, spent }: Operation): RecordedLimit[] {
  const recorded: RecordedLimit[] = [];
  for (let index = 0; index < bound.limits.length; index++) {
    const limit = bound.limits[index]!;
    const state = stateOf(decision?.limits ?? states, limit.id, index);
    if (state === undefined) continue;
    recorded.push(new ChargedLimit({ limit, state }, bound.charges[index]!.cost, spent?.byLimit[limit.id]));
  }
  return recorded;
}

/**
 * Charge of one limit as the usage recorder reads it. It is a class because every request creates
 * several. The getters defer work that is needed mainly for denied operations.
 */
export class ChargedLimit implements RecordedLimit {
  readonly charge: number;
  readonly actual: number | undefined;
  readonly #limit: BoundLimit;
  readonly #state: LimitState;

  constructor({ limit, state }: LimitOutcome, charge: number, actual: number | undefined) {
    this.charge = charge;
    this.actual = actual;
    this.#limit = limit;
    this.#state = state;
  }

  get rule() {
    return this.#limit.ruleName;
  }
  get scope() {
    return this.#limit.scope;
  }
  get field() {
    return this.#limit.pattern.text;
  }
  get limit() {
    return this.#state.limit;
  }
  get used() {
    return this.#state.used;
  }
  get remaining() {
    return this.#state.remaining;
  }
  get retryAfterMs() {
    return this.#state.retryAfterMs;
  }
  get wouldDeny() {
    return this.#state.wouldDeny;
  }
}

/**
 * Returns the state of a limit. The states usually have the order of the limits. In a batch, they
 * include the limits of all operations, so their order differs.
 */
function stateOf(states: readonly LimitState[], id: string, index: number): LimitState | undefined {
  const expected = states[index];
  return expected?.id === id ? expected : states.find((state) => state.id === id);
}

/** Cached measures by plan and field: those of a limit on this field alone. */
const measures = new WeakMap<CostPlan, Map<string, CostMeasure>>();
const NO_FIELDS: FieldSums = { coordinates: [], calls: [], costs: [] };
const NO_AMOUNTS: readonly RecordedAmount[] = RECORDED_AMOUNTS.map(() => ({ total: 0, fields: [] }));
const NOTHING: MeasuredCost = { cost: 0, calls: 0 };

function fieldsOf({ costPlan, plan, spent }: Operation): RecordedFields {
  return {
    estimated: () => plan.estimate().fields,
    actual: () => spent && (spent.fields ?? NO_FIELDS),
    measured() {
      const coordinates = plan.estimate().fields.map(({ coordinate }) => coordinate);
      const asked = coordinates.map((coordinate) => measureOf(costPlan, coordinate));
      const { response } = spent ?? {};
      const actual = spent?.fields && plan.actual(response?.data, asked, { errors: response?.errors }).measures;
      return coordinates.map((coordinate, index) => ({
        coordinate,
        estimated: plan.measure(asked[index]!),
        actual: spent && (actual?.[index] ?? NOTHING),
      }));
    },
    measuringSteps: () => (measures.has(costPlan) ? 0 : plan.estimate().fields.length * costPlan.steps),
    amounts() {
      const { response } = spent ?? {};
      return {
        estimated: plan.amountSums(RECORDED_AMOUNTS),
        actual:
          spent && (response ? plan.actualAmountSums(RECORDED_AMOUNTS, response.data, response.errors) : NO_AMOUNTS),
      };
    },
  };
}

function measureOf(costPlan: CostPlan, coordinate: string): CostMeasure {
  let known = measures.get(costPlan);
  if (known === undefined) {
    known = new Map();
    measures.set(costPlan, known);
  }
  let measure = known.get(coordinate);
  if (measure === undefined) {
    measure = costPlan.measure((other) => other === coordinate);
    known.set(coordinate, measure);
  }
  return measure;
}

const NONE: readonly string[] = [];

/**
 * Returns the names of the limits that would have denied an operation without shadow mode: that of
 * their rule, or `mode: 'SHADOW'`. Usually there are none. `isCounted` selects the limits.
 * @param limits limits of the operation; in a batch, `states` may include limits of other
 * operations
 */
export function shadowDenials(
  limits: readonly BoundLimit[],
  states: readonly LimitState[],
  isCounted: (limit: BoundLimit) => boolean = () => true,
): readonly string[] {
  let rules: Set<string> | undefined;
  for (let index = 0; index < states.length; index++) {
    const state = states[index]!;
    if (!state.wouldDeny) continue;
    const expected = limits[index];
    const limit = expected?.id === state.id ? expected : limits.find(({ id }) => id === state.id);
    if (limit && isCounted(limit)) rules = (rules ?? new Set()).add(limit.ruleName);
  }
  return rules === undefined ? NONE : [...rules];
}
