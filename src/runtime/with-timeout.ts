import { timerMs } from './schedule.js';

/**
 * Settles as `result` does. If `result` takes longer than `timeoutMs`, returns what `onTimeout` returns, or rejects with
 * what it throws, and ignores `result` from then on.
 */
export function withTimeout<Result, Late>(
  result: PromiseLike<Result>,
  timeoutMs: number,
  onTimeout: () => Late,
): Promise<Result | Late> {
  return new Promise<Result | Late>((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(onTimeout());
      } catch (error) {
        reject(error);
      }
    }, timerMs(timeoutMs));
    result.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
