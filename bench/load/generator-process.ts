// The process of the load generator: sends requests when they are due, and returns the results. It
// ends when its parent disconnects.
import { Agent, request as httpRequest } from 'node:http';
import { createHistogram } from 'node:perf_hooks';
import type { LoadRequest, LoadResult, ReportedUsage } from './generator.js';
import { createRequests, type MixedRequest } from './mix.js';

const MAX_CONNECTIONS = 256;
/**
 * Maximum number of requests in flight. It is reached only if the platform is too slow for the
 * requested rate.
 */
const MAX_UNDER_WAY = 10_000;
const ANSWER_WITHIN_MS = 20_000;

const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });

process.on('message', async (message: LoadRequest) => {
  process.send?.(await generateLoad(message));
});

async function generateLoad(asked: LoadRequest): Promise<LoadResult> {
  const { url, requestsPerSecond, durationMs, mix, maxUnderWay = Number.POSITIVE_INFINITY } = asked;
  const urls = [url].flat();
  const requestOf = createRequests(mix);
  const latencies = createHistogram({ lowest: 1, highest: 3_600_000_000, figures: 3 });
  const statuses: Record<string, number> = {};
  const failures: Record<string, number> = {};
  const metered = mix.meteredKeys.map(() => 0);
  const usage: ReportedUsage = { requests: 0, denied: 0, estimated_cost: 0, actual_cost: 0, denied_cost: 0 };
  let decided = 0;
  let degraded = 0;
  let sent = 0;
  const underWay = new Set<Promise<void>>();
  const count = (into: Record<string, number>, what: string) => {
    into[what] = (into[what] ?? 0) + 1;
  };

  async function send(mixed: MixedRequest, number: number, dueMs: number): Promise<void> {
    try {
      const { status, text } = await post(`${urls[number % urls.length]}/graphql`, mixed);
      latencies.record(Math.max(1, Math.round((performance.now() - dueMs) * 1000)));
      count(statuses, String(status));
      const code = /"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 100);
      const isExpected = mixed.isStranger && code === 'IDENTITY_UNAVAILABLE';
      if (status >= 500 && !isExpected) count(failures, `${status} ${code}`);
      // A rejected request is charged a flat fee, without a decision.
      if (text.includes('"requestedQueryCost"') && !text.includes('"fee":')) decided++;
      if (text.includes('"degraded":true')) degraded++;
      addUsage(usage, text);
      if (mixed.metered !== undefined && status === 200) {
        metered[mixed.metered]! += JSON.parse(text).extensions.cost.requestedQueryCost;
      }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      count(failures, code ?? message);
    }
  }

  const startedMs = performance.now();
  for (let nowMs = 0; nowMs < durationMs; nowMs = performance.now() - startedMs) {
    if (maxUnderWay < MAX_UNDER_WAY && failures['ECONNREFUSED'] !== undefined) break;
    for (; sent < (nowMs * requestsPerSecond) / 1000 && underWay.size < maxUnderWay; sent++) {
      if (underWay.size >= MAX_UNDER_WAY) {
        count(failures, `more than ${MAX_UNDER_WAY} requests under way`);
        continue;
      }
      const sending = send(requestOf(sent), sent, startedMs + (sent * 1000) / requestsPerSecond);
      underWay.add(sending);
      void sending.then(() => underWay.delete(sending));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(underWay);
  const at = (percentile: number) => latencies.percentile(percentile) / 1000;
  return {
    requests: sent,
    elapsedMs: performance.now() - startedMs,
    statuses,
    failures,
    decided,
    degraded,
    latencyMs: { p50: at(50), p90: at(90), p99: at(99), p999: at(99.9), max: latencies.max / 1000 },
    metered,
    usage,
  };
}

/** Adds the cost that a response reports. A rejected request has no cost, only a fee. */
function addUsage(usage: ReportedUsage, text: string): void {
  const [, requested, actual] = /"requestedQueryCost":(\d+),"actualQueryCost":(\d+|null)/.exec(text) ?? [];
  if (requested === undefined || text.includes('"fee":')) return;
  usage.requests++;
  if (/"code":"(THROTTLED|MAX_COST_EXCEEDED|UNAVAILABLE)"/.test(text)) {
    usage.denied++;
    usage.denied_cost += Number(requested);
  } else {
    usage.estimated_cost += Number(requested);
    usage.actual_cost += Number(actual);
  }
}

function post(url: string, mixed: MixedRequest): Promise<{ status: number; text: string }> {
  const { headers, body } = mixed;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      {
        agent,
        method: 'POST',
        timeout: ANSWER_WITHIN_MS,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      },
    );
    request.on('timeout', () => request.destroy(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`)));
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed the idle connection before it read any part of this request, so it is
      // safe to send the request again.
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve(post(url, mixed));
      else reject(error);
    });
    request.end(body);
  });
}
