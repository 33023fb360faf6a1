import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BudgetReport } from '../../packages/client/src/budget-report.js';
import { type Pacer, PacerError } from '../../packages/client/src/pacer.js';
import { createApi, createClient, createWorld, type SimulatedApi, type World } from './simulate.js';

// Several processes share one bucket, with random events in any order. The test compares each
// action of a process with the knowledge that the process could have.

const MAX_QUEUE = 4;
const PRICES = [1, 10, 40];
/** Tokens of refill that a pacer may assume in excess, because a browser rounds its clock. */
const ROUNDING_TOKENS = 0.01;

/** An operation and its state. */
interface Operation {
  price: number;
  controller: AbortController;
  state: 'WAITING' | 'SENT' | 'OVER';
  runs: number;
  isLost: boolean;
  outcome?: unknown;
}

/** A process and its knowledge: the last report, and the operations sent since. */
interface Process {
  pacer: Pacer;
  operations: Operation[];
  /** Current offset of its clock. */
  steppedMs: number;
  /** Sum of the forward steps of its clock: a pacer may take them for elapsed time. */
  forwardMs: number;
  lastReport: { bucket: NonNullable<BudgetReport['bucket']>; atMs: number } | undefined;
  unanswered: Set<Operation>;
}

interface Real {
  world: World;
  api: SimulatedApi;
  processes: Process[];
  /** Forbidden actions, recorded because an error would only end the operation. */
  violations: string[];
}

function startProcess(world: World): Process {
  const process: Process = {
    pacer: createClient(world, {
      now: () => world.nowMs + process.steppedMs,
      maxQueue: MAX_QUEUE,
      maxWaitMs: 1e9,
      random: () => (world.nowMs % 97) / 97,
    }),
    operations: [],
    steppedMs: 0,
    forwardMs: 0,
    lastReport: undefined,
    unanswered: new Set(),
  };
  return process;
}

/**
 * Returns the largest amount that the process can expect in the bucket, or undefined without any
 * report.
 */
function mostThere({ world }: Real, { lastReport, unanswered, forwardMs }: Process): number | undefined {
  if (lastReport === undefined) return undefined;
  const { capacity, available, restorePerSecond } = lastReport.bucket;
  const elapsedMs = world.nowMs + forwardMs - lastReport.atMs;
  const refilled = Math.min(capacity, available + (elapsedMs * restorePerSecond) / 1000);
  return refilled - [...unanswered].reduce((sum, { price }) => sum + price, 0);
}

interface Asked {
  process: number;
  price: number;
  latencyMs: number;
  priority: number;
  isLost: boolean;
}

class Ask implements fc.AsyncCommand<object, Real> {
  constructor(readonly asked: Asked) {}
  check = () => true;
  toString = () => `ask ${JSON.stringify(this.asked)}`;

  async run(_model: object, real: Real): Promise<void> {
    const { world, api } = real;
    const { price, latencyMs, priority, isLost } = this.asked;
    const process = real.processes[this.asked.process % real.processes.length]!;
    const waiting = process.operations.filter(({ state }) => state === 'WAITING').length;
    const controller = new AbortController();
    const operation: Operation = { price, controller, state: 'WAITING', runs: 0, isLost, outcome: undefined };
    process.operations.push(operation);
    const paced = { key: `costs ${price}`, price, priority, signal: controller.signal };
    const running = process.pacer.run(paced, async () => {
      if (operation.runs > 0) real.violations.push('sent again what ran');
      const there = mostThere(real, process);
      // An operation that costs more than the capacity is sent anyway, because the server must
      // reject it.
      if (there !== undefined && price <= process.lastReport!.bucket.capacity)
        if (there + ROUNDING_TOKENS < price) real.violations.push(`sent for ${price} with ${there} there`);
      operation.state = 'SENT';
      process.unanswered.add(operation);
      await world.wait(latencyMs);
      const report = price > api.capacity ? {} : api.arrive(price);
      if (report.denial === undefined) operation.runs++;
      await world.wait(latencyMs);
      process.unanswered.delete(operation);
      if (isLost) throw new Error('connection reset');
      if (report.bucket) process.lastReport = { bucket: report.bucket, atMs: world.nowMs + process.forwardMs };
      if (report.denial) operation.state = 'WAITING';
      return { result: report.denial === undefined ? 'answered' : 'denied', report };
    });
    const end = (outcome: unknown) => {
      operation.state = 'OVER';
      operation.outcome = outcome;
    };
    void running.then(end, end);
    await world.runUntil(world.nowMs);
    const isFull = operation.outcome instanceof PacerError && operation.outcome.code === 'QUEUE_FULL';
    expect(isFull).toBe(waiting >= MAX_QUEUE);
  }
}

class Pass implements fc.AsyncCommand<object, Real> {
  constructor(readonly ms: number) {}
  check = () => true;
  toString = () => `${this.ms} ms pass`;
  run = (_model: object, { world }: Real) => world.runUntil(world.nowMs + this.ms);
}

class EditTier implements fc.AsyncCommand<object, Real> {
  constructor(readonly tier: { capacity: number; restorePerSecond: number }) {}
  check = () => true;
  toString = () => `the tier becomes ${JSON.stringify(this.tier)}`;
  async run(_model: object, { api }: Real): Promise<void> {
    // Reading `available` adds the refill until now, at the old rate.
    expect(api.available).toBeGreaterThanOrEqual(0);
    Object.assign(api, this.tier);
  }
}

class StepClock implements fc.AsyncCommand<object, Real> {
  constructor(
    readonly index: number,
    readonly byMs: number,
  ) {}
  check = () => true;
  toString = () => `the clock of ${this.index} steps by ${this.byMs} ms`;
  async run(_model: object, { processes }: Real): Promise<void> {
    const process = processes[this.index % processes.length]!;
    process.steppedMs += this.byMs;
    process.forwardMs += Math.max(0, this.byMs);
  }
}

class Abort implements fc.AsyncCommand<object, Real> {
  constructor(readonly index: number) {}
  check = () => true;
  toString = () => `the operation that waits at place ${this.index} is aborted`;
  async run(_model: object, { world, processes }: Real): Promise<void> {
    const waiting = processes.flatMap(({ operations }) => operations).filter(({ state }) => state === 'WAITING');
    const operation = waiting[this.index % Math.max(1, waiting.length)];
    if (operation === undefined) return;
    operation.controller.abort(new Error('changed my mind'));
    await world.runUntil(world.nowMs);
    expect(operation.state).toBe('OVER');
    expect(operation.runs).toBe(0);
  }
}

const ask = fc
  .record({
    process: fc.nat(2),
    price: fc.constantFrom(...PRICES),
    latencyMs: fc.integer({ min: 1, max: 400 }),
    priority: fc.integer({ min: -1, max: 1 }),
    isLost: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  })
  .map((asked) => new Ask(asked));

const commands = fc.commands(
  [
    // Bursts: most events are new operations.
    ...Array.from({ length: 8 }, () => ask),
    fc.integer({ min: 1, max: 5000 }).map((ms) => new Pass(ms)),
    fc
      .record({ capacity: fc.integer({ min: 20, max: 200 }), restorePerSecond: fc.integer({ min: 2, max: 50 }) })
      .map((tier) => new EditTier(tier)),
    fc
      .tuple(fc.nat(2), fc.integer({ min: -3_600_000, max: 60_000 }))
      .map(([index, byMs]) => new StepClock(index, byMs)),
    fc.nat(9).map((index) => new Abort(index)),
  ],
  { maxCommands: 60, size: 'max' },
);

it('a pacer sends no operation that it knows would be denied, starves none and repeats none that ran', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), commands, async (count, sequence) => {
      const world = createWorld();
      const api = createApi(world, { capacity: 100, restorePerSecond: 10 });
      const processes = Array.from({ length: count }, () => startProcess(world));
      const real: Real = { world, api, processes, violations: [] };
      await fc.asyncModelRun(() => ({ model: {}, real }), sequence);
      const operations = processes.flatMap((process) => process.operations);
      // The bucket needs at most 100 seconds to fill up for each operation.
      await world.runUntil(world.nowMs + 60_000 + operations.length * 100_000);
      for (const { state, runs, isLost, outcome, controller } of operations) {
        expect(state).toBe('OVER');
        expect(runs).toBeLessThanOrEqual(1);
        if (outcome === 'answered' || outcome instanceof PacerError || controller.signal.aborted) continue;
        expect(isLost).toBe(true);
      }
      expect(real.violations).toEqual([]);
      for (const { pacer } of processes) expect(pacer.quota()?.waiting ?? 0).toBe(0);
    }),
    { numRuns: 120 },
  );
});
