import { Agent, request } from 'node:http';

/** Responses that the callers of a platform got. */
export interface TrafficResult {
  requests: number;
  /** Number of responses of each status. */
  statuses: Record<number, number>;
  /** Number of responses that were decided without Redis. */
  degraded: number;
  /** Failures that no caller may see: a 5xx response with its body, or a broken connection. */
  failures: string[];
}

export interface Traffic {
  /** Results so far. */
  readonly result: TrafficResult;
  /** Stops and waits for the responses in flight. */
  stop(): Promise<TrafficResult>;
}

export interface TrafficOptions {
  /** URL of the platform. */
  url: string;
  query: string;
  /** Headers of each caller. Each caller is one client that sends a request after each response. */
  callers: readonly Record<string, string>[];
  /** Called for a broken connection. Returns whether it was expected. @default always false */
  mayBreak?: (code: string | undefined) => boolean;
  /** Called for every response, with its duration. */
  onAnswer?: (answer: { status: number; text: string; tookMs: number }) => void;
}

/** Sends requests of all callers, each on its own persistent connection, until it is stopped. */
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

/** Posts a body on a connection of the agent. Resolves with the whole response. */
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
