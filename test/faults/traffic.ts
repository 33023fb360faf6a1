import { Agent, request } from 'node:http';

/** What the callers of a platform were answered. */
export interface TrafficResult {
  requests: number;
  /** How often each status came. */
  statuses: Record<number, number>;
  /** Answers that were decided without Redis. */
  degraded: number;
  /** What no caller may see: an answer of 5xx with its body, a connection that broke. */
  failures: string[];
}

export interface Traffic {
  /** So far. */
  readonly result: TrafficResult;
  /** Waits for the answers that are under way. */
  stop(): Promise<TrafficResult>;
}

export interface TrafficOptions {
  /** Of the platform. */
  url: string;
  query: string;
  /** The callers, by what they send with each request: each is one client that asks again once it is answered. */
  callers: readonly Record<string, string>[];
  /** Told of a connection that broke: true where that was to be expected. @default none is */
  mayBreak?: (code: string | undefined) => boolean;
  /** Told of every answer, and how long it took. */
  onAnswer?: (answer: { status: number; text: string; tookMs: number }) => void;
}

/** Keeps callers asking, each on a kept connection of its own, until it is stopped. */
export function startTraffic({
  url,
  query,
  callers,
  mayBreak = () => false,
  onAnswer = () => {},
}: TrafficOptions): Traffic {
  const result: TrafficResult = { requests: 0, statuses: {}, degraded: 0, failures: [] };
  const body = JSON.stringify({ query });
  let stopped = false;
  const clients = callers.map(async (headers) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!stopped) {
      try {
        const startedMs = performance.now();
        const { status, text } = await post(agent, `${url}/graphql`, headers, body);
        onAnswer({ status, text, tookMs: performance.now() - startedMs });
        result.requests++;
        result.statuses[status] = (result.statuses[status] ?? 0) + 1;
        if (text.includes('"degraded":true')) result.degraded++;
        if (status >= 500) result.failures.push(`${status}: ${text.slice(0, 300)}`);
      } catch (error) {
        if (!mayBreak((error as NodeJS.ErrnoException).code)) result.failures.push(String(error));
        break;
      }
    }
    agent.destroy();
  });
  return {
    result,
    async stop() {
      stopped = true;
      await Promise.all(clients);
      return result;
    },
  };
}

/** Posts a body on a connection of the agent's; resolves once the whole answer is there. */
function post(
  agent: Agent,
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
        answer.once('error', reject);
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
