import { CallerLines, type OfCaller } from './caller-lines.js';

/** An item of a `FairQueue`. Callers take turns. */
export interface Queued extends OfCaller {
  /** Number of the turn in which the queue returned the item; 0 before its first turn. */
  turn: number;
}

/**
 * A queue in which callers take turns: each turn goes to the oldest item of the next caller (round
 * robin).
 *
 * A full queue favors callers with few items: a new item replaces the newest item of the caller
 * with the most items. So one caller cannot keep others out of the queue by adding many items.
 */
export class FairQueue<Item extends Queued> {
  /** Items without a turn, by callers in the order of their next turns. */
  readonly #lines = new CallerLines<Item>();
  /** Items that had a turn without success, in the order of their turns. They precede all others. */
  readonly #returned: Item[] = [];
  #turns = 0;

  get size(): number {
    return this.#lines.size + this.#returned.length;
  }

  /**
   * Number of callers with at least one item. Each item that had a turn counts as a further caller.
   */
  get callers(): number {
    return this.#lines.callers + this.#returned.length;
  }

  /**
   * Adds an item. Returns undefined if the queue has room for it. Otherwise returns the item that
   * is no longer in the queue: the added one, or the newest item of the caller with the most items.
   * @param max largest number of items after the call
   */
  add(item: Item, max: number): Item | undefined {
    let dropped: Item | undefined;
    if (this.size >= max) {
      dropped = this.#lines.newestToReplace(item.caller);
      if (dropped === undefined) return item;
      this.#lines.delete(dropped);
    }
    this.#lines.add(item);
    return dropped;
  }

  /** Returns the item whose turn is next, and leaves it in the queue. */
  peek(): Item | undefined {
    return this.#returned[0] ?? this.#lines.first();
  }

  /** Removes the item whose turn is next, and returns it. */
  take(): Item | undefined {
    const item = this.peek();
    if (item === undefined) return undefined;
    if (item.turn > 0) {
      this.#returned.shift();
      return item;
    }
    this.#lines.delete(item);
    // The caller's next turn comes after those of all other callers.
    this.#lines.moveToEnd(item.caller);
    item.turn = ++this.#turns;
    return item;
  }

  /** Puts a taken item back. It precedes the items with later turns and those without a turn. */
  putBack(item: Item): void {
    let place = this.#returned.length;
    while (place > 0 && this.#returned[place - 1]!.turn > item.turn) place--;
    this.#returned.splice(place, 0, item);
  }

  /** Removes an item. Returns whether the queue contained it. */
  delete(item: Item): boolean {
    if (item.turn === 0) return this.#lines.delete(item);
    const place = this.#returned.indexOf(item);
    if (place < 0) return false;
    this.#returned.splice(place, 1);
    return true;
  }
}
