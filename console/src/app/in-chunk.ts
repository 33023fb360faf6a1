import { type ComponentType, createElement, lazy, useState } from 'react';
import { AdminError } from '../api/admin-error.js';

const NOT_FETCHED = 'This page could not be fetched: the platform does not answer, or has another version by now.';

/** `lazy` remembers for good what could not be fetched: each of these begins anew. */
const failed = new Set<() => void>();

/** For when something else is to be shown than what failed. Not before: React would try without end. */
export function fetchFailedChunksAgain(): void {
  for (const begin of failed) begin();
  failed.clear();
}

/** A component in a chunk of its own. */
export interface InChunk<Props extends object> {
  component: ComponentType<Props>;
  /** Has the chunk loaded, before the component is there to be shown. */
  load(): Promise<unknown>;
}

/**
 * Where the chunk is there already, the component is shown at once: `lazy` shows what stands for it first, and React keeps
 * that for 300 ms so that it does not flicker.
 */
export function inChunk<Props extends object>(load: () => Promise<ComponentType<Props>>): InChunk<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadIt = async () => {
    try {
      loaded ??= await load();
    } catch (cause) {
      failed.add(begin);
      throw new AdminError('UNREACHABLE', NOT_FETCHED, { cause });
    }
    return loaded;
  };
  let Late: ComponentType<Props>;
  const begin = () => {
    Late = lazy(async () => ({ default: await loadIt() })) as unknown as ComponentType<Props>;
  };
  begin();
  function Shown(props: Props) {
    // The same one for as long as it is shown: another would begin anew.
    const [shown] = useState<ComponentType<Props>>(() => loaded ?? Late);
    return createElement(shown, props);
  }
  return { component: Shown, load: loadIt };
}
