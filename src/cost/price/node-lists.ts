import { fieldsOf, type PlanField } from '../compile/compiled-operation.js';
import type { SizedLists } from '../schema/schema-model.js';
import { isConnection } from '../settings/cost-profile.js';

/**
 * Returns the lists below a connection that contain its nodes. Omits lists with their own slicing
 * arguments, because they are connections themselves and count their own nodes. The result is empty
 * if the connection itself is the list.
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

/**
 * Returns the number of nodes of a connection without `sizedFields`. If a field above sizes the
 * connection, that size applies.
 */
export function ownNodes({ model, size, given }: PlanField): PlanField['size'] {
  return model.listDepth > 0 ? size : given;
}
