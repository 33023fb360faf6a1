// Measured once, see "Notes about objects of others" in docs/benchmarks.md:
// - A WeakMap for the types of a response of a hundred objects adds 11 to 16 % to the processor
//   time of a whole request.
// - A WeakMap for the plan of a new document adds 10 % to pricing it on Node 24.
// - With one WeakMap entry per request, a protected Apollo Server took 1.5 times the processor time
//   of an unprotected one (bench/http.ts). Two collections copied everything that a request held
//   and left it to the third.

/** Values attached to objects of other owners, with the interface of a WeakMap. */
interface ObjectNotes<K extends object, V> {
  get(object: K): V | undefined;
  set(object: K, note: V): void;
}

/**
 * Returns its argument. As the constructor of a base class, it adds the private fields of the
 * derived class to an existing object.
 */
function itself(object: object): object {
  return object;
}

const Itself = itself as unknown as new (object: object) => object;

/**
 * Creates notes that are kept in a private field of the object itself. A WeakMap keeps its entries
 * until the next full collection, so notes survive, and are copied, long after their objects are
 * gone.
 *
 * As with a WeakMap, a copy of an object does not have its note. Unlike there, a note lives as long
 * as its object, even after these notes are gone.
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
  // Adding private fields to objects that are not extensible is about to be forbidden (the
  // nonextensible proposal of TC39).
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
