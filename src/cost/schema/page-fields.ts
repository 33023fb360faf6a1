import { MAX_PAGE_LEVELS } from '../annotations/page-lists.js';
import type { FieldModel, SizedLists } from './schema-model.js';

/**
 * Lists of a page at one level. A page consists of the object lists that a field reaches through
 * objects without such lists. None of the fields on the way is annotated. Field models hold their
 * own page data, so one instance per level serves all fields.
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

/** Page lists directly below a field, which also lead to those further down. */
export const PAGE_FIELDS: SizedLists = LEVELS[0]!;
