import type { Conditions, Runner } from '../frame/bench.js';
import { measureRecording } from '../usage-recording/measure-recording.js';

/** Measures the processor time of an instance for an operation of the sample API over HTTP. */
export async function measureServer(conditions: Conditions): Promise<{ serverUsOfOperation: number }> {
  const runner = (await measureRecording({})(conditions)) as Runner;
  try {
    const typical = runner.run['HTTP, typical']!;
    await typical(runner.warmUpMs);
    const metrics = await typical(4 * conditions.measureMs);
    return { serverUsOfOperation: metrics['server CPU us']! };
  } finally {
    await runner.close();
  }
}
