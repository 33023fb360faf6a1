import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createObjectNotes } from '../../src/runtime/create-object-notes.js';

describe('notes about an object', () => {
  it.each([
    ['an object', () => ({ a: 1 })],
    ['a frozen object', () => Object.freeze({ a: 1 })],
  ])('a note about %s is kept, and can be replaced', (_, make) => {
    const notes = createObjectNotes<object, string>();
    const object = make();
    expect(notes.get(object)).toBeUndefined();
    notes.set(object, 'first');
    expect(notes.get(object)).toBe('first');
    notes.set(object, 'second');
    expect(notes.get(object)).toBe('second');
    expect(notes.get(make())).toBeUndefined();
  });

  it('a note is visible only in its own collection of notes', () => {
    const object = {};
    const notes = createObjectNotes<object, string>();
    notes.set(object, 'one');
    expect(createObjectNotes<object, string>().get(object)).toBeUndefined();
  });

  it('a note adds no property to its object, and copies of the object do not have it', () => {
    const notes = createObjectNotes<object, string>();
    const document = parse('{ a b }');
    notes.set(document, 'note');
    expect(Reflect.ownKeys(document)).toEqual(Reflect.ownKeys(parse('{ a b }')));
    expect(document).toStrictEqual(parse('{ a b }'));
    const copies = [
      { ...document },
      Object.defineProperties({}, Object.getOwnPropertyDescriptors(document)),
      structuredClone({ ...document, loc: undefined }),
      visit(document, { Field: { enter: (node) => (node.name.value === 'b' ? null : undefined) } }),
    ];
    for (const copy of copies) expect(notes.get(copy)).toBeUndefined();
  });

  it('a note does not prevent garbage collection of its object', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const notes = createObjectNotes<object, object>();
    const weak = (() => {
      const [object, note] = [{}, {}];
      notes.set(object, note);
      return [new WeakRef(object), new WeakRef(note)];
    })();
    // JavaScript keeps the target of a new weak reference alive until the end of the turn.
    await new Promise(setImmediate);
    collectGarbage();
    expect(weak.map((each) => each.deref())).toEqual([undefined, undefined]);
  });
});
