export interface StreamHolder {
  name: string;
  /**
   * Maximum number of concurrent streams of this holder. Further streams are rejected with 429, or
   * with 503 if the holder has separate slots or may use all shared ones.
   */
  maxStreams: number;
  /** Whether the holder has separate slots, which other holders cannot use. @default false */
  isApart?: boolean;
}

/** A slot, which `letGo` releases, or the reason why none is free. */
type Taken =
  | { letGo(): void; code?: never; message?: never }
  | { letGo?: never; code: 'UNAVAILABLE' | 'THROTTLED'; message: string };

/** The slots for streams that are open or about to start. */
interface StreamPlaces {
  take(holder: StreamHolder): Taken;
}

/**
 * Creates the slots.
 * @param maxStreams slots that all holders without separate slots share
 */
export function createStreamPlaces(maxStreams: number): StreamPlaces {
  /** Number of streams by holder. */
  const taken = new Map<string, number>();
  /** Number of streams of all holders without separate slots. */
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
