/**
 * The waiting operations, ordered by priority. Within one priority, documents take turns in the
 * order of their arrival.
 */
export interface WaitingLine<Entry extends Waiting> {
  readonly size: number;
  add(entry: Entry): void;
  remove(entry: Entry): void;
  /** Returns the next entry for which `isHeld` is false. Undefined if there is none. */
  next(nowMs: number, isHeld: (entry: Entry) => boolean): Entry | undefined;
  /**
   * Removes an entry that is sent. Other documents of the same priority are then served before the
   * next entry of its document.
   */
  take(entry: Entry): void;
}

export interface Waiting {
  readonly key: string;
  /** Priority. Operations with a higher priority are sent first. */
  readonly priority: number;
  /** Start of the wait, in milliseconds. */
  readonly sinceMs: number;
}

/**
 * Time after which the priority of a waiting operation rises by one, in milliseconds. It ensures
 * that no operation waits forever.
 */
const AGING_MS = 10_000;

export function createWaitingLine<Entry extends Waiting>(): WaitingLine<Entry> {
  /**
   * Entries by document, in the order of arrival. A document whose entry was taken moves to the
   * end.
   */
  const documents = new Map<string, Entry[]>();
  let size = 0;

  return {
    get size() {
      return size;
    },

    add(entry) {
      const line = documents.get(entry.key);
      // A denied operation is inserted again, according to its age.
      if (line === undefined) documents.set(entry.key, [entry]);
      else {
        const at = line.findIndex((other) => other.sinceMs > entry.sinceMs);
        line.splice(at === -1 ? line.length : at, 0, entry);
      }
      size++;
    },

    remove,

    next(nowMs, isHeld) {
      let best: Entry | undefined;
      let bestPriority = Number.NEGATIVE_INFINITY;
      for (const line of documents.values()) {
        for (const entry of line) {
          const priority = entry.priority + Math.floor(Math.max(0, nowMs - entry.sinceMs) / AGING_MS);
          if (priority > bestPriority && !isHeld(entry)) {
            best = entry;
            bestPriority = priority;
          }
        }
      }
      return best;
    },

    take(entry) {
      remove(entry);
      const rest = documents.get(entry.key);
      if (rest === undefined) return;
      documents.delete(entry.key);
      documents.set(entry.key, rest);
    },
  };

  function remove(entry: Entry): void {
    const line = documents.get(entry.key);
    const at = line?.indexOf(entry) ?? -1;
    if (line === undefined || at === -1) return;
    line.splice(at, 1);
    if (line.length === 0) documents.delete(entry.key);
    size--;
  }
}
