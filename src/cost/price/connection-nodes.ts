import { fieldsOf, type PlanField } from '../compile/plan-tree.js';
import { isConnection } from '../profile.js';

/**
 * The lists that hold the nodes of a connection, where `sizedFields` name them. One that pages by itself is left out: it
 * is a connection too, and counts its own nodes. Empty: the connection is the list.
 */
export function nodeLists({ model, child }: PlanField): readonly PlanField[] {
  const { sizedFields } = model;
  if (sizedFields === undefined || child === undefined) return [];
  const isNodeList = (field: PlanField): boolean => sizedFields.has(field.model.name) && !isConnection(field.model);
  return child.groups.flatMap((group) => fieldsOf(group).filter(isNodeList));
}

/** The nodes of a connection that names no `sizedFields`; where one above it sizes it, those that this makes it. */
export function ownNodes({ model, size, given }: PlanField): PlanField['size'] {
  return model.listDepth > 0 ? size : given;
}
