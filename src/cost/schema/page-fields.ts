import { MAX_PAGE_LEVELS } from '../annotations/page-lists.js';
import type { FieldModel, SizedLists } from './schema-model.js';

/**
 * Page lists (`page-lists.ts`) that are `level` levels below a field with a page argument such as
 * `first`. That field leads to them only through objects without lists and through fields without
 * annotations. Each field model stores whether it is a page list, so all fields share one instance
 * per level.
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

/** Page lists directly below a field. `through` returns those at deeper levels. */
export const PAGE_FIELDS: SizedLists = LEVELS[0]!;
