import { type ComponentType, createElement, lazy, useState } from 'react';
import { AdminError } from '../api/admin-error.js';
import { commonText } from '../text/common-text.js';

/**
 * Functions that reset failed chunks. `lazy` caches a failed import permanently, so a new `lazy`
 * must replace it.
 */
const failed = new Set<() => void>();

/**
 * Resets the failed chunks. Call this only when another page is about to be shown. Otherwise, React
 * would retry endlessly.
 */
export function fetchFailedChunksAgain(): void {
  for (const begin of failed) begin();
  failed.clear();
}

/** A component in a separate chunk. */
export interface InChunk<Props extends object> {
  component: ComponentType<Props>;
  /** Loads the chunk before the component is shown. */
  load(): Promise<unknown>;
}

/**
 * Creates a component in a separate chunk. If the chunk is already loaded, the component is shown
 * immediately. `lazy` alone would show the fallback first, and React keeps the fallback for 300 ms
 * to avoid flicker.
 */
export function inChunk<Props extends object>(load: () => Promise<ComponentType<Props>>): InChunk<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadIt = async () => {
    try {
      loaded ??= await load();
    } catch (cause) {
      failed.add(begin);
      throw new AdminError('UNREACHABLE', commonText.error.chunkFailed, { cause });
    }
    return loaded;
  };
  let Late: ComponentType<Props>;
  const begin = () => {
    Late = lazy(async () => ({ default: await loadIt() })) as unknown as ComponentType<Props>;
  };
  begin();
  function Shown(props: Props) {
    // The component type must stay the same while it is mounted. Another type would reset its
    // state.
    const [shown] = useState<ComponentType<Props>>(() => loaded ?? Late);
    return createElement(shown, props);
  }
  return { component: Shown, load: loadIt };
}
