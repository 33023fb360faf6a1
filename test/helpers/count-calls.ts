import { Session } from 'node:inspector/promises';

/**
 * Returns the number of function calls while `work` runs. This measures the work independently of
 * the machine.
 * @param isCounted whether a function counts, by the URL of its file and its name. @default all count
 */
export async function countCalls(
  work: () => Promise<unknown>,
  isCounted: (url: string, name: string) => boolean = () => true,
): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    const calls = result.flatMap(({ url, functions }) =>
      functions.map(({ functionName, ranges }) => (isCounted(url, functionName) ? (ranges[0]?.count ?? 0) : 0)),
    );
    return calls.reduce((sum, count) => sum + count, 0);
  } finally {
    session.disconnect();
  }
}
