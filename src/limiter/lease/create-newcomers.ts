import { SPACES } from '../memory/partitions.js';

/**
 * Callers seen once since the last sweep. Most of them call too rarely for a lease, so only their
 * ids are stored.
 */
interface Newcomers {
  /**
   * Returns whether the caller was seen before. If not, records the caller, as long as there is
   * room.
   */
  hasCome(space: number, id: string): boolean;
  /** Forgets all callers. */
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
