import type { FieldModel } from '../schema/schema-model.js';
import type { CollectContext } from './collect-fields.js';
import type { KnownPositions } from './known-positions.js';
import type { FieldContext } from './read-arguments.js';
import type { UpperBoundGroups } from './upper-bound-groups.js';

/** State of the compilation of one operation. */
export interface Compiler extends CollectContext, FieldContext, KnownPositions {
  /**
   * Stack of the fields of the selection sets that are being compiled. `fieldCount` is its length;
   * the array may be longer.
   */
  readonly fields: FieldModel[];
  /**
   * Function that creates the groups for an upper bound. Undefined if the operation is compiled
   * exactly.
   */
  upperBoundGroups: UpperBoundGroups | undefined;
  fieldCount: number;
  hasChoice: boolean;
  depth: number;
}
