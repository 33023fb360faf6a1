import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue, type Queued } from '../../../src/limiter/queue/fair-queue.js';

interface Item extends Queued {
  name: string;
}

let count = 0;
const item = (caller: string): Item => ({ caller, turn: 0, name: `${caller}${++count}` });

function takeAll(queue: FairQueue<Item>): Item[] {
  const items: Item[] = [];
  for (let one = queue.take(); one !== undefined; one = queue.take()) items.push(one);
  return items;
}

test('callers take turns, and the operations of one caller keep their order', () => {
  const queue = new FairQueue<Item>();
  const items = [...'aaab', 'c', 'b'].map(item);
  for (const one of items) queue.add(one, 10);
  expect(takeAll(queue).map(({ caller }) => caller)).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  expect(queue.size).toBe(0);
});

test('an operation that is put back precedes all operations with a later turn', () => {
  const queue = new FairQueue<Item>();
  for (const caller of 'abc') queue.add(item(caller), 10);
  const [a, b] = [queue.take()!, queue.take()!];
  queue.putBack(b);
  queue.putBack(a);
  expect(takeAll(queue).map(({ caller }) => caller)).toEqual(['a', 'b', 'c']);
});

test('an operation replaces the newest of the caller with the most operations in a full queue', () => {
  const queue = new FairQueue<Item>();
  const greedy = Array.from({ length: 4 }, () => item('greedy'));
  for (const one of greedy) expect(queue.add(one, 4)).toBeUndefined();
  expect(queue.add(item('a'), 4)).toBe(greedy[3]);
  expect(queue.add(item('b'), 4)).toBe(greedy[2]);
  expect(queue.add(item('c'), 4)).toBe(greedy[1]);
  // Each caller has one operation now, so none has to give way.
  for (const caller of ['d', 'a', 'greedy']) {
    const late = item(caller);
    expect(queue.add(late, 4)).toBe(late);
  }
  expect(takeAll(queue).map(({ caller }) => caller)).toEqual(['greedy', 'a', 'b', 'c']);
});

/** Model with plain arrays: the lines of callers in the order of their turns. */
function createModel() {
  let lines: { caller: string; items: Item[] }[] = [];
  let returned: Item[] = [];
  const size = () => returned.length + lines.reduce((sum, { items }) => sum + items.length, 0);
  return {
    size,
    add(one: Item, max: number): boolean {
      const own = lines.find(({ caller }) => caller === one.caller);
      if (size() >= max) {
        const largest = Math.max(0, ...lines.map(({ items }) => items.length));
        if (largest <= (own?.items.length ?? 0) + 1) return false;
      }
      if (own) own.items.push(one);
      else lines.push({ caller: one.caller, items: [one] });
      return true;
    },
    remove(one: Item) {
      returned = returned.filter((other) => other !== one);
      for (const line of lines) line.items = line.items.filter((other) => other !== one);
      lines = lines.filter(({ items }) => items.length > 0);
    },
    next: () => returned[0] ?? lines[0]?.items[0],
    take() {
      const one = returned[0] ?? lines[0]!.items[0]!;
      if (returned.length > 0) {
        returned.shift();
        return one;
      }
      const line = lines.shift()!;
      line.items.shift();
      if (line.items.length > 0) lines.push(line);
      return one;
    },
    putBack(one: Item) {
      returned.push(one);
      returned.sort((a, b) => a.turn - b.turn);
    },
    longest: () => Math.max(0, ...lines.map(({ items }) => items.length)),
    lengthOf: (caller: string) => lines.find((line) => line.caller === caller)?.items.length ?? 0,
  };
}

test('the queue equals a model of plain arrays in random histories', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), caller: fc.constantFrom('a', 'b', 'c', 'd') }),
    fc.record({ do: fc.constant('take' as const) }),
    fc.record({ do: fc.constant('back' as const), which: fc.nat(5) }),
    fc.record({ do: fc.constant('leave' as const), which: fc.nat(20) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 12 }), (steps, max) => {
      const queue = new FairQueue<Item>();
      const model = createModel();
      const inside = new Set<Item>();
      const outside: Item[] = [];
      for (const one of steps) {
        if (one.do === 'add') {
          const added = item(one.caller);
          const longest = model.longest();
          const dropped = queue.add(added, max);
          inside.add(added);
          if (dropped !== undefined) {
            inside.delete(dropped);
            // The dropped operation is the newest of a caller with the most operations, or the added one.
            if (dropped !== added) expect(model.lengthOf(dropped.caller)).toBe(longest);
            expect(model.add(added, max)).toBe(dropped !== added);
            model.remove(dropped);
          } else expect(model.add(added, max)).toBe(true);
        } else if (one.do === 'take' && inside.size > 0) {
          const taken = queue.take()!;
          expect(taken).toBe(model.take());
          inside.delete(taken);
          outside.push(taken);
        } else if (one.do === 'back' && outside.length > 0) {
          const [back] = outside.splice(one.which % outside.length, 1);
          queue.putBack(back!);
          model.putBack(back!);
          inside.add(back!);
        } else if (one.do === 'leave' && inside.size > 0) {
          const leaving = [...inside][one.which % inside.size]!;
          expect(queue.delete(leaving)).toBe(true);
          expect(queue.delete(leaving)).toBe(false);
          model.remove(leaving);
          inside.delete(leaving);
        }
        expect(queue.size).toBe(model.size());
        expect(queue.peek()).toBe(model.next());
      }
    }),
  );
});
