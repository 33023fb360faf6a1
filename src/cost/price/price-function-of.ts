import type { FieldNode, GraphQLCompositeType } from 'graphql';
import { fieldsOf, type PlanField, type PlanPosition } from '../compile/compiled-operation.js';
import type { VariableValues } from '../compile/operation-variables.js';
import type { FieldModel } from '../schema/schema-model.js';
import { argumentValuesOf } from '../values/coerce-input.js';
import { CostError } from '../values/cost-error.js';
import type { PriceFunction } from './algebra.js';

/**
 * Context for commands, previews and simulations, because they price operations without a request.
 */
const NO_CONTEXT = Object.freeze({});
const NOWHERE: readonly GraphQLCompositeType[] = [];

/**
 * Returns the price function of a field, bound to the arguments in the operation. Returns undefined
 * if the field has none. The result of the function is never NaN or negative.
 */
export function priceFunctionOf({ model, node, selectedOn = NOWHERE }: PlanField): PriceFunction | undefined {
  const { complexity } = model;
  if (complexity === undefined) return undefined;
  return (childComplexity, { variables, context = NO_CONTEXT }) => {
    const args = node && argumentsOf(model, node, variables);
    if (node === undefined || args === undefined) return undefined;
    let result: unknown;
    try {
      const { definition: field, owner } = model;
      const options = { args, childComplexity, field, type: owner.type, node };
      result = complexity({ ...options, context: context as Record<string, unknown> }, selectedOn);
    } catch (cause) {
      const detail = `the complexity function of ${model.coordinate} failed`;
      throw new CostError('OPERATION_TOO_COMPLEX', detail, { nodes: [node], cause });
    }
    return typeof result === 'number' && !Number.isNaN(result) ? Math.max(0, result) : undefined;
  };
}

/**
 * Returns the arguments of a field. Returns undefined if execution will reject them, because the
 * resolver is then not called.
 */
function argumentsOf(
  model: FieldModel,
  node: FieldNode,
  variables: VariableValues,
): Record<string, unknown> | undefined {
  try {
    return argumentValuesOf(model.definition, node, variables.byName());
  } catch {
    return undefined;
  }
}

/**
 * Returns whether any field at or below a position has a price function. The price may then depend
 * on the context of the request.
 */
export function callsFunctions(root: PlanPosition): boolean {
  const seen = new Set<PlanPosition>();
  function callsBelow(position: PlanPosition): boolean {
    if (seen.has(position)) return false;
    seen.add(position);
    return position.groups.some((group) =>
      fieldsOf(group).some(
        ({ model, child }) => model.complexity !== undefined || (child !== undefined && callsBelow(child)),
      ),
    );
  }
  return callsBelow(root);
}
