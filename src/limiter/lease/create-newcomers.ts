import { SPACES } from '../memory/partitions.js';

/** Those who came once since it was last looked: most come too seldom for a lease, and a name is all that is kept of them. */
interface Newcomers {
  /** Whether they have come before. If not, notes that they have come now, as long as there is room. */
  hasCome(space: number, id: string): boolean;
  /** Forgets all of them. */
  forget(): void;
}

export function createNewcomers(maxNames: number): Newcomers {
  const namesOf: Set<string>[] = Array.from({ length: SPACES }, () => new Set());
  let count = 0;

  return {
    hasCome(space, id) {
      const names = namesOf[space]!;
      if (names.has(id)) return true;
      if (count >= maxNames) return false;
      names.add(id);
      count++;
      return false;
    },
    forget() {
      for (const names of namesOf) names.clear();
      count = 0;
    },
  };
}
