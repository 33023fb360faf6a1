import { Session } from 'node:inspector/promises';

/** How many functions are called meanwhile, each as often as it is: what a piece of work takes, on any machine. */
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
