import type { FieldModel } from '../schema/schema-model.js';
import type { CollectContext } from './collect-fields.js';
import type { KnownPositions } from './known-positions.js';
import type { FieldContext } from './read-arguments.js';
import type { UpperBoundGroups } from './upper-bound-groups.js';

/** State of the compilation of one operation. */
export interface Compiler extends CollectContext, FieldContext, KnownPositions {
  /**
   * Fields of the selection sets that are being compiled, one set after the other. Entries from
   * `fieldCount` on are free.
   */
  readonly fields: FieldModel[];
  /** Groups for an upper bound; undefined if the operation is compiled exactly. */
  upperBoundGroups: UpperBoundGroups | undefined;
  fieldCount: number;
  hasChoice: boolean;
  depth: number;
}
