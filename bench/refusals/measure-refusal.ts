import type { Variant } from '../frame/bench.js';
import { serveRefusingApi } from './refusing-api.js';
import { REFUSALS, type RefusalName } from './requests.js';
import { startSender } from './sender.js';

export const METRICS = [
  { name: 'ms of processor time', better: 'lower' },
  { name: 'tokens paid', better: 'higher' },
] as const;

const PER_TURN = 10;
const ANSWERED: RefusalName = 'answered: one field';

/** The processor time of the server for one request, of the most expensive one of a refusal; all threads of its process. */
export const measureRefusal =
  (refusal: RefusalName): Variant =>
  async ({ measureMs, warmUpMs }) => {
    const api = await serveRefusingApi(refusal);
    const sender = startSender();
    let next = 0;
    let most = { ms: 0, paid: 0 };
    try {
      for (const request of Object.keys(REFUSALS[refusal])) {
        const turn = async () => {
          const startUs = processorUs();
          const order = { url: api.url, refusal, request, from: next, count: PER_TURN };
          next += PER_TURN;
          const answered = await sender.send(order);
          return { ms: (processorUs() - startUs) / 1000 / PER_TURN, ...answered };
        };
        for (const endMs = performance.now() + warmUpMs; performance.now() < endMs; ) await turn();
        // Of several turns the least: what others did on the machine disturbs, and never helps.
        let least = await turn();
        for (const endMs = performance.now() + measureMs; performance.now() < endMs; ) {
          const one = await turn();
          if (one.ms < least.ms) least = one;
        }
        if (process.env['BENCH_REQUESTS'] !== undefined) {
          const { ms, status, code, paid, text } = least;
          console.error(
            `${refusal} | ${request} | ${ms.toFixed(2)} ms | ${status} ${code} | ${paid} | ${text.slice(0, 120)}`,
          );
        }
        if (refusal !== ANSWERED && least.status < 400 && least.code === 'INTERNAL_SERVER_ERROR') {
          throw new Error(`${refusal}, ${request}: it was not refused: ${least.text}`);
        }
        if (least.ms > most.ms) most = least;
      }
    } finally {
      sender.stop();
      await api.stop();
    }
    return { 'its most expensive request': { 'ms of processor time': most.ms, 'tokens paid': most.paid } };
  };

function processorUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
