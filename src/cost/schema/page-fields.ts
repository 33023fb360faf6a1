import { MAX_PAGE_LEVELS } from '../annotations/page-lists.js';
import type { FieldModel, SizedLists } from './schema-model.js';

/**
 * The lists of a page: those of objects that are reached from a field through objects without such lists, none of which has
 * an annotation. Every field of the schema knows what it is, so that one value for each level serves all fields.
 */
class PageFields implements SizedLists {
  readonly level: number;
  readonly key: string;

  constructor(level: number) {
    this.level = level;
    this.key = `page ${level}`;
  }

  sizes({ isPage }: FieldModel): boolean {
    return isPage;
  }

  through({ pageDistance }: FieldModel): SizedLists | undefined {
    const distance = pageDistance();
    return distance > 0 && distance <= MAX_PAGE_LEVELS - this.level ? LEVELS[this.level] : undefined;
  }
}

const LEVELS = Array.from({ length: MAX_PAGE_LEVELS }, (_, index) => new PageFields(index + 1));

/** The lists directly below a field, and what leads further down. */
export const PAGE_FIELDS: SizedLists = LEVELS[0]!;
