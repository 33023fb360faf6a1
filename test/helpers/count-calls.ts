import { Session } from 'node:inspector/promises';

/**
 * Returns the number of function calls while `work` runs. This measures the work independently of
 * the machine.
 */
export async function countCalls(work: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    const calls = result.flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0));
    return calls.reduce((sum, count) => sum + count, 0);
  } finally {
    session.disconnect();
  }
}
