/** An item of a `FairQueue`. */
export interface Queued {
  /** Name of the caller. Callers take turns. */
  readonly caller: string;
  /** Number of the turn in which the queue returned the item; 0 before its first turn. */
  turn: number;
}

/** Waiting items of one caller, oldest first. */
interface Line<Item> {
  items: Item[];
}

/**
 * A queue in which callers take turns: each turn goes to the oldest item of the next caller (round
 * robin).
 *
 * A full queue favors callers with few items: a new item replaces the newest item of the caller
 * with the most items. So one caller cannot keep others out of the queue by adding many items.
 */
export class FairQueue<Item extends Queued> {
  /** Lines by caller, in the order of their next turns. */
  readonly #lines = new Map<string, Line<Item>>();
  /** Lines by their number of items. */
  readonly #bySize = new Map<number, Set<Line<Item>>>();
  /** Items that had a turn without success, in the order of their turns. They precede all others. */
  readonly #returned: Item[] = [];
  #largest = 0;
  #size = 0;
  #turns = 0;

  get size(): number {
    return this.#size;
  }

  /**
   * Number of callers with at least one item. Each item that had a turn counts as a further caller.
   */
  get callers(): number {
    return this.#lines.size + this.#returned.length;
  }

  /**
   * Adds an item. Returns undefined if the queue has room for it. Otherwise returns the item that
   * is no longer in the queue: the added one, or the newest item of the caller with the most items.
   * @param max largest number of items after the call
   */
  add(item: Item, max: number): Item | undefined {
    let dropped: Item | undefined;
    if (this.#size >= max) {
      const own = this.#lines.get(item.caller)?.items.length ?? 0;
      if (this.#largest <= own + 1) return item;
      const [longest] = this.#bySize.get(this.#largest)!;
      dropped = longest!.items.at(-1)!;
      this.delete(dropped);
    }
    let line = this.#lines.get(item.caller);
    if (line === undefined) {
      line = { items: [] };
      this.#lines.set(item.caller, line);
    }
    line.items.push(item);
    this.#resized(line, line.items.length - 1);
    this.#size++;
    return dropped;
  }

  /** Returns the item whose turn is next, and leaves it in the queue. */
  peek(): Item | undefined {
    if (this.#returned.length > 0) return this.#returned[0];
    for (const line of this.#lines.values()) return line.items[0];
    return undefined;
  }

  /** Removes the item whose turn is next, and returns it. */
  take(): Item | undefined {
    const item = this.peek();
    if (item === undefined) return undefined;
    if (item.turn > 0) {
      this.#returned.shift();
      this.#size--;
      return item;
    }
    const line = this.#lines.get(item.caller)!;
    this.delete(item);
    // The caller's next turn comes after those of all other callers.
    if (line.items.length > 0) {
      this.#lines.delete(item.caller);
      this.#lines.set(item.caller, line);
    }
    item.turn = ++this.#turns;
    return item;
  }

  /** Puts a taken item back. It precedes the items with later turns and those without a turn. */
  putBack(item: Item): void {
    let place = this.#returned.length;
    while (place > 0 && this.#returned[place - 1]!.turn > item.turn) place--;
    this.#returned.splice(place, 0, item);
    this.#size++;
  }

  /** Removes an item. Returns whether the queue contained it. */
  delete(item: Item): boolean {
    if (item.turn > 0) {
      const place = this.#returned.indexOf(item);
      if (place < 0) return false;
      this.#returned.splice(place, 1);
      this.#size--;
      return true;
    }
    const line = this.#lines.get(item.caller);
    if (line === undefined) return false;
    // The item is most often the first or the last of its caller.
    const place = line.items.at(-1) === item ? line.items.length - 1 : line.items.indexOf(item);
    if (place < 0) return false;
    line.items.splice(place, 1);
    this.#resized(line, line.items.length + 1);
    if (line.items.length === 0) this.#lines.delete(item.caller);
    this.#size--;
    return true;
  }

  /** Moves a line, which had `before` items, to the lines of its present size. */
  #resized(line: Line<Item>, before: number): void {
    const after = line.items.length;
    const former = this.#bySize.get(before);
    former?.delete(line);
    if (former?.size === 0) {
      this.#bySize.delete(before);
      // Sizes change by one, so the line itself is now the largest.
      if (this.#largest === before) this.#largest = after;
    }
    if (after === 0) return;
    const same = this.#bySize.get(after);
    if (same) same.add(line);
    else this.#bySize.set(after, new Set([line]));
    this.#largest = Math.max(this.#largest, after);
  }
}
