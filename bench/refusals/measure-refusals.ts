import { parse, validate } from 'graphql';
import type { Sample, Variant } from '../frame/bench.js';
import {
  type BareApi,
  githubSchema,
  type RefusingApi,
  serveRefusingApi,
  serveWithoutTollgate,
} from './refusing-api.js';
import { REFUSALS, type RefusalName } from './requests.js';
import { type Answered, type Sender, startSender } from './sender.js';
import { type Make, textOf } from './sent.js';

export const METRICS = [
  { name: 'ms', better: 'lower' },
  { name: 'ms without Tollgate', better: 'lower' },
  { name: 'ms of Tollgate, at most', better: 'lower' },
  { name: 'x parse + validate', better: 'lower' },
  { name: 'x JSON.parse', better: 'lower' },
  { name: 'tokens paid', better: 'higher' },
  { name: 'requests counted', better: 'higher' },
] as const;

type Figures = Partial<Record<(typeof METRICS)[number]['name'], number>>;

const PER_TURN = 5;
/** Until V8 has compiled what a request needs: who sends such requests sends many. */
const WARM_UP_TURNS = 20;
const ANSWERED: RefusalName = 'answered: one field';

/** Of one request: the least of several turns, as what others did on the machine disturbs, and never helps. */
interface Measured {
  ms: number;
  bareMs: number;
  /** Undefined: it has no document, or no body. */
  graphqlMs: number | undefined;
  jsonMs: number | undefined;
  paid: number;
  counted: number;
  answered: Answered;
}

/**
 * The processor time of a server for one request, all threads of its process: of each refusal that of its most expensive request, and what it
 * pays. By turns the same requests go to a server without Tollgate, which may answer them, and their documents to graphql-js
 * and their bodies to `JSON.parse` alone. `ms of Tollgate` is the largest difference, of whatever request it is.
 */
export const measureRefusals: Variant = async ({ measureMs, warmUpMs }) => {
  const sender = startSender();
  const bare = new Map<number, BareApi>();
  const sample: Sample = {};
  let next = 0;
  try {
    for (const refusal of Object.keys(REFUSALS) as RefusalName[]) {
      const api = await serveRefusingApi(refusal);
      try {
        if (!bare.has(api.maxBatchSize)) bare.set(api.maxBatchSize, await serveWithoutTollgate(api.maxBatchSize));
        const all: Measured[] = [];
        for (const [request, make] of Object.entries<Make>(REFUSALS[refusal])) {
          if (!isAsked(refusal, request)) continue;
          const turns = { refusal, request, make, api, bare: bare.get(api.maxBatchSize)!, sender };
          const take = () => {
            const from = next;
            next += PER_TURN;
            return takeTurn({ ...turns, from });
          };
          const endMs = performance.now() + warmUpMs;
          for (let turn = 0; turn < WARM_UP_TURNS || performance.now() < endMs; turn++) await take();
          const taken = [await take()];
          for (const endMs = performance.now() + measureMs / 2; performance.now() < endMs; ) taken.push(await take());
          const measured = leastOf(taken);
          requireRefusal(refusal, request, measured);
          all.push(measured);
        }
        if (all.length > 0) sample[refusal] = figuresOf(all);
      } finally {
        await api.stop();
      }
    }
  } finally {
    sender.stop();
    for (const one of bare.values()) await one.stop();
  }
  return sample;
};

function isAsked(refusal: string, request: string): boolean {
  const text = process.env['BENCH_REQUESTS'] ?? '1';
  return text === '1' || `${refusal}, ${request}`.includes(text);
}

interface Turn {
  refusal: RefusalName;
  request: string;
  make: Make;
  from: number;
  api: RefusingApi;
  bare: BareApi;
  sender: Sender;
}

async function takeTurn({ refusal, request, make, from, api, bare, sender }: Turn): Promise<Measured> {
  const order = { refusal, request, from, count: PER_TURN };
  const bareMs = await msOf(() => sender.send({ ...order, url: bare.url }));
  const before = await api.left();
  let answered: Answered | undefined;
  const ms = await msOf(async () => {
    answered = await sender.send({ ...order, url: api.url });
  });
  const after = await api.left();
  const texts = Array.from({ length: PER_TURN }, (_, index) => textOf(make(from + index)));
  const bodies = texts.flatMap(({ body }) => (body === undefined ? [] : [body]));
  const documents = texts.flatMap(({ document }) => (document === undefined ? [] : [document]));
  return {
    ms,
    bareMs,
    jsonMs: bodies.length === 0 ? undefined : await msOf(() => bodies.forEach(readJson)),
    graphqlMs: documents.length === 0 ? undefined : await msOf(() => documents.forEach(readDocument)),
    paid: (before.tokens - after.tokens) / PER_TURN,
    counted: (before.requests - after.requests) / PER_TURN,
    answered: answered!,
  };
}

/** Milliseconds of processor time for each of the requests of a turn. */
async function msOf(run: () => unknown): Promise<number> {
  const startUs = processorUs();
  await run();
  return (processorUs() - startUs) / 1000 / PER_TURN;
}

function processorUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function readJson(body: string): void {
  try {
    JSON.parse(body);
  } catch {
    // Some are none: how far one has to read to see that is what is measured.
  }
}

function readDocument(text: string): void {
  try {
    validate(githubSchema(), parse(text), undefined, { maxErrors: 20 });
  } catch {
    // A syntax error.
  }
}

function leastOf(taken: readonly Measured[]): Measured {
  const least = (read: (one: Measured) => number) => Math.min(...taken.map(read));
  const [first] = taken as [Measured];
  return {
    ...taken.at(-1)!,
    ms: least(({ ms }) => ms),
    bareMs: least(({ bareMs }) => bareMs),
    jsonMs: first.jsonMs === undefined ? undefined : least(({ jsonMs }) => jsonMs!),
    graphqlMs: first.graphqlMs === undefined ? undefined : least(({ graphqlMs }) => graphqlMs!),
    paid: least(({ paid }) => paid),
    counted: least(({ counted }) => counted),
  };
}

function requireRefusal(refusal: RefusalName, request: string, measured: Measured): void {
  const { ms, bareMs, jsonMs, graphqlMs, paid, counted, answered } = measured;
  const { status, code, text } = answered;
  if (process.env['BENCH_REQUESTS'] !== undefined) {
    const times = [ms, bareMs, graphqlMs, jsonMs].map((one) => one?.toFixed(3) ?? '-').join(' / ');
    console.error(
      `${refusal} | ${request} | ${times} ms with, without, graphql-js, JSON.parse | ${status} ${code} | ${paid} tokens, ${counted} requests | ${text.slice(0, 120)}`,
    );
  }
  if (refusal !== ANSWERED && status < 400 && (code === 'none' || code === 'INTERNAL_SERVER_ERROR')) {
    throw new Error(`${refusal}, ${request}: it was not refused: ${text}`);
  }
}

function figuresOf(all: readonly Measured[]): Figures {
  const most = all.reduce((one, other) => (other.ms > one.ms ? other : one));
  const { ms, bareMs, graphqlMs, jsonMs, paid, counted } = most;
  return {
    ms,
    'ms without Tollgate': bareMs,
    'ms of Tollgate, at most': Math.max(...all.map((one) => one.ms - one.bareMs)),
    ...(graphqlMs !== undefined && { 'x parse + validate': ms / graphqlMs }),
    ...(jsonMs !== undefined && { 'x JSON.parse': ms / jsonMs }),
    'tokens paid': paid,
    'requests counted': counted,
  };
}
