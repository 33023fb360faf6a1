import type { Variant } from '../frame/bench.js';
import { type RefusingApi, serveRefusingApi, serveWithoutTollgate } from './refusing-api.js';
import { REFUSALS, type RefusalName } from './requests.js';
import { type Answered, startSender } from './sender.js';

export const METRICS = [
  { name: 'ms of processor time', better: 'lower' },
  { name: 'ms without Tollgate', better: 'lower' },
  { name: 'ms of Tollgate, at most', better: 'lower' },
  { name: 'tokens paid', better: 'higher' },
] as const;

const PER_TURN = 10;
const ANSWERED: RefusalName = 'answered: one field';

interface Measured extends Answered {
  ms: number;
}

/**
 * The processor time of the server for one request, of the most expensive one of a refusal; all threads of its process. By turns
 * the same requests go to a server without Tollgate, which may answer them: `ms of Tollgate` is the largest difference, of whatever
 * request it is.
 */
export const measureRefusal =
  (refusal: RefusalName): Variant =>
  async ({ measureMs, warmUpMs }) => {
    const api = await serveRefusingApi(refusal);
    const bare = await serveWithoutTollgate(refusal);
    const sender = startSender();
    let next = 0;
    let most = { ms: 0, paid: 0, bareMs: 0 };
    let mostOfOurs = 0;
    try {
      for (const request of Object.keys(REFUSALS[refusal])) {
        const turn = async ({ url }: RefusingApi): Promise<Measured> => {
          const startUs = processorUs();
          const order = { url, refusal, request, from: next, count: PER_TURN };
          next += PER_TURN;
          const answered = await sender.send(order);
          return { ms: (processorUs() - startUs) / 1000 / PER_TURN, ...answered };
        };
        for (const endMs = performance.now() + warmUpMs; performance.now() < endMs; ) {
          await turn(bare);
          await turn(api);
        }
        // Of several turns the least: what others did on the machine disturbs, and never helps.
        let { ms: bareMs } = await turn(bare);
        let least = await turn(api);
        for (const endMs = performance.now() + 2 * measureMs; performance.now() < endMs; ) {
          bareMs = Math.min(bareMs, (await turn(bare)).ms);
          const one = await turn(api);
          if (one.ms < least.ms) least = one;
        }
        if (process.env['BENCH_REQUESTS'] !== undefined) {
          const { ms, status, code, paid, text } = least;
          console.error(
            `${refusal} | ${request} | ${ms.toFixed(2)} ms, ${bareMs.toFixed(2)} without | ${status} ${code} | ${paid} | ${text.slice(0, 120)}`,
          );
        }
        if (refusal !== ANSWERED && least.status < 400 && least.code === 'INTERNAL_SERVER_ERROR') {
          throw new Error(`${refusal}, ${request}: it was not refused: ${least.text}`);
        }
        if (least.ms > most.ms) most = { ...least, bareMs };
        mostOfOurs = Math.max(mostOfOurs, least.ms - bareMs);
      }
    } finally {
      sender.stop();
      await bare.stop();
      await api.stop();
    }
    return {
      'its most expensive request': {
        'ms of processor time': most.ms,
        'ms without Tollgate': most.bareMs,
        'ms of Tollgate, at most': mostOfOurs,
        'tokens paid': most.paid,
      },
    };
  };

function processorUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
