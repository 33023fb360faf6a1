// Measured once, see "Notes about objects of others" in docs/benchmarks.md: with a WeakMap for the types of a response of a hundred
// objects, a whole request takes 11 to 16 % more processor time; with one for the plan of a new document, pricing it takes 10 % more
// on Node 24. With one entry for each request in a WeakMap, a protected Apollo Server took 1.5 times the processor time of one without
// it (bench/http.ts): all that a request holds was copied by two collections and left to the third.

/** Notes about objects of others: what a WeakMap is for, and seen from outside nothing but that. */
interface ObjectNotes<K extends object, V> {
  get(object: K): V | undefined;
  set(object: K, note: V): void;
}

/** The base of a class makes what its constructor returns the object that gets the private fields of the class. */
function itself(object: object): object {
  return object;
}

const Itself = itself as unknown as new (object: object) => object;

/**
 * Keeps each note in a private field of the object itself. Until the next full collection a WeakMap keeps all that was
 * ever put into it, so that every note survives, and is copied, long after its object is gone. Copies of an object do not
 * have its note, as with a WeakMap; other than there, a note lives as long as its object even when these notes are gone.
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
  // Private fields of objects that are not extensible are about to be forbidden (the nonextensible proposal of TC39).
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
