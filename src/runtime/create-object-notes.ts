// Measured once, see "Data attached to graphql-js objects" in docs/benchmarks.md:
// - If a response has a hundred objects, a WeakMap for their types adds 11 to 16 % to the processor
//   time of the whole request.
// - A WeakMap for the plan of a new document adds 10 % to pricing it on Node 24.
// - With one WeakMap entry per request, a protected Apollo Server took 1.5 times the processor time
//   of an unprotected one (bench/http.ts). Two minor garbage collections copied all objects of a
//   request, and only a full collection freed them.

/** Values attached to objects that other code has created, with the interface of a WeakMap. */
interface ObjectNotes<K extends object, V> {
  get(object: K): V | undefined;
  set(object: K, note: V): void;
}

/**
 * Returns its argument. If it is used as the constructor of a base class, the private fields of the
 * derived class are added to the argument.
 */
function itself(object: object): object {
  return object;
}

const Itself = itself as unknown as new (object: object) => object;

/**
 * Creates notes that are stored in a private field of the object itself. A WeakMap keeps its
 * entries until the next full garbage collection. Notes would then use memory, and be copied, long
 * after their objects are unreachable.
 *
 * As with a WeakMap, a copy of an object does not have its note. Unlike with a WeakMap, a note
 * exists as long as its object, even if the `ObjectNotes` is unreachable.
 */
export function createObjectNotes<K extends object, V>(): ObjectNotes<K, V> {
  class Noted extends Itself {
    #note: V | undefined;

    static get(object: K): V | undefined {
      return #note in object ? object.#note : undefined;
    }

    static set(object: K, note: V): void {
      const noted = #note in object ? object : (new Noted(object) as K & Noted);
      noted.#note = note;
    }
  }
  // A TC39 proposal (nonextensible-applies-to-private) would forbid adding private fields to
  // objects that are not extensible.
  let frozen: WeakMap<K, V> | undefined;

  return {
    get: (object) => Noted.get(object) ?? frozen?.get(object),
    set: (object, note) => {
      if (Object.isExtensible(object)) {
        Noted.set(object, note);
        return;
      }
      frozen ??= new WeakMap();
      frozen.set(object, note);
    },
  };
}
