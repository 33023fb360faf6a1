import type { LimitAlgorithm } from './limit-algorithm.js';
import { parseBucket, tokenBucket } from './token-bucket.js';

/**
 * A token bucket whose taken tokens are a backlog, which drains at the refill rate. An admitted
 * operation waits until the backlog ahead of it has drained, so that the outflow is constant.
 */
export const leakyBucket: LimitAlgorithm = { ...tokenBucket, parse: (read) => parseBucket(read, true) };
