/** An item of a caller. */
export interface OfCaller {
  /** Name of the caller. */
  readonly caller: string;
}

/** Items of one caller, oldest first. */
interface Line<Item> {
  items: Item[];
}

/**
 * Items by caller. Adding an item and finding the caller with the most items take constant time.
 * Removing an item takes time in proportion to the items of its caller, unless it is the newest.
 */
export class CallerLines<Item extends OfCaller> {
  /** Lines by caller. */
  readonly #lines = new Map<string, Line<Item>>();
  /** Lines by their number of items. */
  readonly #bySize = new Map<number, Set<Line<Item>>>();
  #largest = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Number of callers with at least one item. */
  get callers(): number {
    return this.#lines.size;
  }

  add(item: Item): void {
    let line = this.#lines.get(item.caller);
    if (line === undefined) {
      line = { items: [] };
      this.#lines.set(item.caller, line);
    }
    line.items.push(item);
    this.#resized(line, line.items.length - 1);
    this.#size++;
  }

  /** Removes an item. Returns whether it was present. */
  delete(item: Item): boolean {
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

  /** Returns the oldest item of the first caller. */
  first(): Item | undefined {
    for (const line of this.#lines.values()) return line.items[0];
    return undefined;
  }

  /** Makes a caller the last one. */
  moveToEnd(caller: string): void {
    const line = this.#lines.get(caller);
    if (line === undefined) return;
    this.#lines.delete(caller);
    this.#lines.set(caller, line);
  }

  /**
   * Returns the item that makes room for a new item of a caller: the newest item of the caller with
   * the most items. Returns undefined if no item is replaced, because the caller of the new
   * item would then have at least as many items as that caller.
   */
  newestToReplace(caller: string): Item | undefined {
    const own = this.#lines.get(caller)?.items.length ?? 0;
    if (this.#largest <= own + 1) return undefined;
    const [longest] = this.#bySize.get(this.#largest)!;
    return longest!.items.at(-1)!;
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
