/** Who waits: by priority, and within one priority each document in its turn, in the order in which they came. */
export interface WaitingLine<Entry extends Waiting> {
  readonly size: number;
  add(entry: Entry): void;
  remove(entry: Entry): void;
  /** Whose turn it is, of those that may go by `isHeld`; undefined: none may go. */
  next(nowMs: number, isHeld: (entry: Entry) => boolean): Entry | undefined;
  /** The entry goes: other documents of its priority come before its own next one. */
  take(entry: Entry): void;
}

export interface Waiting {
  readonly key: string;
  /** Higher goes first. */
  readonly priority: number;
  /** Since when, in milliseconds. */
  readonly sinceMs: number;
}

/** Waiting so long is worth one priority, so that nothing waits for ever. */
const AGING_MS = 10_000;

export function createWaitingLine<Entry extends Waiting>(): WaitingLine<Entry> {
  /** By document, in the order of coming; a document whose entry was taken goes to the end. */
  const documents = new Map<string, Entry[]>();
  let size = 0;

  return {
    get size() {
      return size;
    },

    add(entry) {
      const line = documents.get(entry.key);
      // What was denied comes back to its place by its age.
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
