import { MAX_LIMITS } from '../../model/limit-parameters.js';
import type { Limit } from '../algorithms/limit-algorithm.js';

/**
 * A sequence of limits that are requested from one partition. Equal sequences are represented by
 * the same object.
 */
export interface Group {
  readonly limits: readonly Limit[];
  readonly longer: Map<Limit, Group>;
  /** Number of the group, from 1, once it is sent. */
  number: number;
}

export interface UsedKey {
  readonly key: string;
  group: Group;
  firstCounter: number;
}

/** Returns the number of definitions of a limit: one more if it carries unused amounts over. */
export function definitionsIn({ calendar }: Limit): number {
  return calendar !== undefined && calendar.keptMs > 0 ? 2 : 1;
}

/**
 * Keys of one call, and the limits requested under each. Keys, groups and definitions are sent once
 * each.
 */
export class RequestKeys {
  readonly used = new Map<string, UsedKey>();
  /** Number of the definition of each limit, from 1. Some limits have two definitions. */
  readonly definitions = new Map<Limit, number>();
  definitionCount = 0;
  readonly #root: Group = { limits: [], longer: new Map(), number: 0 };

  /** Returns the entry of a key. A new key starts with `group`. */
  open(key: string, group: Group = this.#root): UsedKey {
    let used = this.used.get(key);
    if (used === undefined) {
      used = { key, group, firstCounter: 0 };
      this.used.set(key, used);
    }
    return used;
  }

  /**
   * Returns the place of `limit` among those of its key. Returns undefined if another variant of
   * the same counter has a place, or if the key has as many limits as a partition has counters.
   */
  placeIn(used: UsedKey, limit: Limit): number | undefined {
    const { limits, longer } = used.group;
    for (let place = 0; place < limits.length; place++) {
      const other = limits[place]!;
      if (other === limit) return place;
      if (other.identity.recordId === limit.identity.recordId) return undefined;
    }
    if (limits.length >= MAX_LIMITS) return undefined;
    let next = longer.get(limit);
    if (next === undefined) {
      next = { limits: [...limits, limit], longer: new Map(), number: 0 };
      longer.set(limit, next);
      if (!this.definitions.has(limit)) {
        this.definitions.set(limit, this.definitionCount + 1);
        this.definitionCount += definitionsIn(limit);
      }
    }
    used.group = next;
    return limits.length;
  }
}
