import { type ComponentType, createElement, lazy, useState } from 'react';

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
    loaded ??= await load();
    return loaded;
  };
  const Late = lazy(async () => ({ default: await loadIt() }));
  function Shown(props: Props) {
    // The same one for as long as it is shown: another would begin anew.
    const [shown] = useState<ComponentType<Props>>(() => loaded ?? Late);
    return createElement(shown, props);
  }
  return { component: Shown, load: loadIt };
}
