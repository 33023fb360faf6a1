import { fieldsOf, type PlanField } from '../compile/compiled-operation.js';
import type { SizedLists } from '../schema/schema-model.js';
import { isConnection } from '../settings/cost-profile.js';

/**
 * The lists that hold the nodes of a connection, where it sizes lists below it. One that pages by itself is left out: it
 * is a connection too, and counts its own nodes. Empty: the connection is the list.
 */
export function nodeLists(field: PlanField): readonly PlanField[] {
  return listsSizedBelow(field, field.model.sizedFields);
}

function listsSizedBelow({ child }: PlanField, sized: SizedLists | undefined): readonly PlanField[] {
  if (sized === undefined || child === undefined) return [];
  return child.groups.flatMap((group) =>
    fieldsOf(group).flatMap((field): readonly PlanField[] => {
      const { model } = field;
      if (isConnection(model)) return [];
      if (model.listDepth > 0) return sized.sizes(model) ? [field] : [];
      return listsSizedBelow(field, sized.through(model));
    }),
  );
}

/** The nodes of a connection that names no `sizedFields`; where one above it sizes it, those that this makes it. */
export function ownNodes({ model, size, given }: PlanField): PlanField['size'] {
  return model.listDepth > 0 ? size : given;
}
