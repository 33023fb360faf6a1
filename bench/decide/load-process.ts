// The process that asks for decisions. For each message, it sends requests to `/v1/decide`, and
// returns their number and their latencies. It ends when the benchmark disconnects.
import { Agent, request } from 'node:http';
import { subjectOf } from '../decision/workload.js';
import { keepInFlight } from '../frame/keep-in-flight.js';
import { sendAtRate } from '../frame/send-at-rate.js';
import { percentile } from '../frame/statistics.js';
import { type AskedLoad, type MeasuredLoad, requestOf } from './load.js';

const agent = new Agent({ keepAlive: true });
let calls = 0;

process.on('message', async (load: AskedLoad) => {
  process.send?.(await generate(load));
});

async function generate({ port, durationMs, batchSize, inFlight, ratePerSecond }: AskedLoad): Promise<MeasuredLoad> {
  const latencies: number[] = [];
  if (ratePerSecond !== undefined) {
    const elapsedMs = await sendAtRate(
      ratePerSecond,
      durationMs,
      () => ask(port, requestOf(subjectOf(calls++))),
      latencies,
    );
    return { decisions: latencies.length, elapsedMs, p99Ms: percentile(latencies, 0.99) };
  }
  const { done, elapsedMs } = await keepInFlight(inFlight, durationMs, async () => {
    const startedMs = performance.now();
    await ask(
      port,
      Array.from({ length: batchSize }, () => requestOf(subjectOf(calls++))),
    );
    latencies.push(performance.now() - startedMs);
  });
  return { decisions: done * batchSize, elapsedMs, p99Ms: percentile(latencies, 0.99) };
}

/** Asks for decisions. Rejects unless Redis has admitted all of them. */
function ask(port: number, sent: unknown): Promise<void> {
  const body = JSON.stringify(sent);
  const headers = {
    'content-type': 'application/json',
    authorization: 'Bearer bench',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const asked = request({ agent, port, path: '/v1/decide', method: 'POST', headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const decided = [JSON.parse(Buffer.concat(pieces).toString())].flat();
        if (decided.every(({ admitted, degraded }) => admitted && !degraded)) resolve();
        else reject(new Error(`a decision was not made in Redis: ${JSON.stringify(decided[0])}`));
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
