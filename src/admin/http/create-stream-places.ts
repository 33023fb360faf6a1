export interface StreamHolder {
  name: string;
  /** Its streams at once; more are answered with 429. */
  maxStreams: number;
  /** Has places of its own, which those of the others do not take. @default false */
  isApart?: boolean;
}

/** A place, which is given back with `letGo`; or why there is none. */
type Taken =
  | { letGo(): void; code?: never; message?: never }
  | { letGo?: never; code: 'UNAVAILABLE' | 'THROTTLED'; message: string };

/** The places for streams that are open at once, or about to begin. */
interface StreamPlaces {
  take(holder: StreamHolder): Taken;
}

/** @param maxStreams those of all who have no places apart */
export function createStreamPlaces(maxStreams: number): StreamPlaces {
  /** By holder. */
  const taken = new Map<string, number>();
  /** Of all who have none apart. */
  let shared = 0;

  return {
    take({ name, maxStreams: maxOfHolder, isApart = false }) {
      const ofHolder = taken.get(name) ?? 0;
      if (!isApart && shared >= maxStreams) {
        return { code: 'UNAVAILABLE', message: `${maxStreams} streams are open: close one of them first` };
      }
      if (ofHolder >= maxOfHolder) {
        const code = isApart || maxOfHolder >= maxStreams ? 'UNAVAILABLE' : 'THROTTLED';
        return { code, message: `${maxOfHolder} streams of this token are open: close one of them first` };
      }
      taken.set(name, ofHolder + 1);
      if (!isApart) shared++;
      return {
        letGo() {
          const left = taken.get(name)! - 1;
          if (left > 0) taken.set(name, left);
          else taken.delete(name);
          if (!isApart) shared--;
        },
      };
    },
  };
}
