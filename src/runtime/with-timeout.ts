import { timerMs } from './schedule.js';

/**
 * Settles in the same way as `result`. If `result` takes longer than `timeoutMs` milliseconds,
 * resolves to the result of `onTimeout`, or rejects with the error that `onTimeout` throws.
 * `result` is then ignored.
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
