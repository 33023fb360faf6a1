import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Returns the heap size after four garbage collections. A single collection does not free all
 * garbage of earlier scenarios, and the rest would be freed during the measurement.
 */
export function heapBytes(): number {
  for (let i = 0; i < 4; i++) collectGarbage();
  return process.memoryUsage().heapUsed;
}
