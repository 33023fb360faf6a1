import type { Bench } from './frame/bench.js';
import { METRICS, measureRecording } from './usage-recording/measure-recording.js';

export const bench: Bench = {
  title:
    'the sample API with six limits on Redis and PostgreSQL over HTTP, 64 requests in flight, 1,000 users: processor ' +
    'time of a request with and without recording of usage, including the writes to PostgreSQL',
  metrics: METRICS,
  variants: { 'not recording': measureRecording(false), recording: measureRecording({}) },
  baselines: ['not recording'],
  redis: true,
  rounds: 3,
};
