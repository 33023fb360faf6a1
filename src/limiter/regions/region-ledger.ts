import type { RegionOptions } from '../../model/region-mode.js';

// Regions move percents of the limits between them. A region first reduces its own share. Once no
// instance uses the old share any more, it publishes the gift, and the receiver adds it. The shares
// therefore never sum to more than 100 percent, even if messages are lost or a region is cut off.

/** Record that a region publishes in its Redis for the others. */
export interface RegionLedger {
  /** Names and shares of the configuration. Ledgers of different configurations are not combined. */
  readonly config: string;
  /** Percents given to each other region so far. The numbers only grow, so none is added twice. */
  readonly given: Readonly<Record<string, number>>;
  /** Percents received from each other region so far. */
  readonly received: Readonly<Record<string, number>>;
  /** Gift that the receiver may not see yet, because instances may still use it. */
  readonly pending?: { readonly to: string; readonly percent: number; readonly sinceMs: number } | undefined;
  /**
   * Numbers of percents that the region had more than its configured share, with the time since
   * which it had no fewer, by the clock of its Redis. Both increase. The last one is the present.
   */
  readonly past: readonly (readonly [percent: number, sinceMs: number])[];
  /** Recent demand: limits used per second, summed over all counters. */
  readonly rate: number;
  /** Total demand at `atMs`, from which the next rate is computed. */
  readonly demand: number;
  readonly atMs: number;
  /**
   * Whether the region uses the smallest share, because another region still has another
   * configuration, or could not be read since this region has no ledger.
   */
  readonly isWaiting?: boolean | undefined;
}

/** Ledger of another region; `ABSENT` if its Redis has none, undefined if it was not read. */
export type OtherLedger = RegionLedger | 'ABSENT' | undefined;

interface LedgerInputs {
  readonly region: Pick<RegionOptions, 'name' | 'shares'>;
  /** Smallest share of a region, in percent. */
  readonly floor: number;
  readonly own: RegionLedger | undefined;
  /** Ledgers of all other regions, by name. */
  readonly others: Readonly<Record<string, OtherLedger>>;
  /** Demand of this region so far. */
  readonly demand: number;
  /** Time of the Redis of this region, in epoch milliseconds. */
  readonly nowMs: number;
  /** Time after which no instance of the region uses an older share, in milliseconds. */
  readonly adoptedAfterMs: number;
}

/** Weight of the latest rate in the published one. */
const RATE_WEIGHT = 0.5;
/** Difference from the wanted share, in percent, up to which nothing is moved. */
const TOLERANCE = 2;

/** Returns the text by which regions recognize that they have the same configuration. */
export function configOf({ shares }: Pick<RegionOptions, 'shares'>, floor: number): string {
  const parts = Object.keys(shares).sort();
  return `${parts.map((name) => `${name}=${shares[name]}`).join(',')};floor=${floor}`;
}

/** Returns the next ledger of a region. */
export function nextLedger(inputs: LedgerInputs): RegionLedger {
  const { region, floor, own, demand, nowMs, adoptedAfterMs } = inputs;
  const config = configOf(region, floor);
  const others = Object.entries(inputs.others);
  const readable = others.filter((entry): entry is [string, RegionLedger] => isOfConfig(entry[1], config));
  const current = own?.config === config ? own : undefined;
  const isNew = current === undefined || current.isWaiting === true;
  const isWaiting = isNew && others.some(([, ledger]) => ledger !== 'ABSENT' && !isOfConfig(ledger, config));
  const given: Record<string, number> = { ...current?.given };
  const received: Record<string, number> = { ...current?.received };
  for (const [name, ledger] of readable) {
    received[name] = Math.max(received[name] ?? 0, ledger.given[region.name] ?? 0);
    // The Redis of this region may have lost the record of a gift that has arrived.
    given[name] = Math.max(given[name] ?? 0, ledger.received[region.name] ?? 0);
  }
  let pending = current?.pending;
  if (pending !== undefined && nowMs - pending.sinceMs >= adoptedAfterMs) {
    given[pending.to] = (given[pending.to] ?? 0) + pending.percent;
    pending = undefined;
  }
  const usage = usageOf(current, demand, nowMs);
  const base = { config, given, received, ...usage };
  if (pending === undefined && !isNew && readable.length === others.length) {
    pending = giftOf(inputs, { ...base, past: [] }, Object.fromEntries(readable));
  }
  const ledger = { ...base, pending, ...(isWaiting && { isWaiting }) };
  const percent = isWaiting ? floor - region.shares[region.name]! : movedPercent(ledger);
  return { ...ledger, past: pastOf(current?.past, percent, nowMs) };
}

/** Returns the demand of a region, with a smoothed rate. */
function usageOf(
  current: RegionLedger | undefined,
  demand: number,
  nowMs: number,
): Pick<RegionLedger, 'rate' | 'demand' | 'atMs'> {
  if (current === undefined) return { rate: 0, demand, atMs: nowMs };
  const { rate, atMs } = current;
  // Without a period there is no rate, and the next period has to include this demand.
  if (nowMs <= atMs) return { rate, demand: current.demand, atMs };
  const latest = (Math.max(0, demand - current.demand) * 1000) / (nowMs - atMs);
  return { rate: rate + RATE_WEIGHT * (latest - rate), demand, atMs: nowMs };
}

function isOfConfig(ledger: OtherLedger, config: string): ledger is RegionLedger {
  return ledger !== undefined && ledger !== 'ABSENT' && ledger.config === config;
}

/** Returns the percents that a region has more than its configured share; negative if it has less. */
function movedPercent({ given, received, pending }: Pick<RegionLedger, 'given' | 'received' | 'pending'>): number {
  const sum = (percents: Readonly<Record<string, number>>) =>
    Object.values(percents).reduce((all, one) => all + one, 0);
  return sum(received) - sum(given) - (pending?.percent ?? 0);
}

/**
 * Returns the next gift of a region that has more than its demand needs. It is at most `floor`
 * percents, so a bucket has refilled what it had used of them before the receiver may use them.
 */
function giftOf(
  { region, floor, nowMs }: LedgerInputs,
  own: RegionLedger,
  others: Readonly<Record<string, RegionLedger>>,
): RegionLedger['pending'] {
  const ledgers: Readonly<Record<string, RegionLedger>> = { ...others, [region.name]: own };
  const rates = Object.values(ledgers).reduce((sum, { rate }) => sum + rate, 0);
  if (rates <= 0) return undefined;
  const free = 100 - floor * Object.keys(ledgers).length;
  /** Returns the percents that a region has above those that it needs. */
  const surplusOf = (name: string) =>
    region.shares[name]! + movedPercent(ledgers[name]!) - floor - (free * ledgers[name]!.rate) / rates;
  const surplus = surplusOf(region.name);
  const [to, deficit] = Object.keys(others)
    .map((name) => [name, -surplusOf(name)] as const)
    .reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0]);
  if (surplus < TOLERANCE || deficit < TOLERANCE) return undefined;
  const above = region.shares[region.name]! + movedPercent(own) - floor;
  const percent = Math.min(floor, above, Math.floor(surplus), Math.floor(deficit));
  return percent > 0 ? { to, percent, sinceMs: nowMs } : undefined;
}

function pastOf(past: RegionLedger['past'] | undefined, percent: number, nowMs: number): RegionLedger['past'] {
  // A new ledger needs no past: either nothing was moved, or the counters are lost as well.
  if (past === undefined) return [[percent, 0]];
  const kept = past.filter(([earlier]) => earlier < percent);
  if (kept.length < past.length) return [...kept, [percent, past[kept.length]![1]]];
  return [...kept, [percent, nowMs]];
}

/** Returns the percents that a region has more than its configured share now. */
export function currentPercent({ past }: RegionLedger): number {
  return past.at(-1)?.[0] ?? 0;
}

/**
 * Returns the percents above the configured share that a limit may use: the fewest that the region
 * had within the last `periodMs`. Until then, the givers may have used them in the same window.
 */
export function usablePercent(past: RegionLedger['past'], periodMs: number, nowMs: number): number {
  for (const [index, [percent]] of past.entries()) {
    const endedMs = past[index + 1]?.[1] ?? Number.POSITIVE_INFINITY;
    if (endedMs > nowMs - periodMs) return percent;
  }
  return 0;
}

/** Parses a ledger. Returns undefined for a text that no region has written. */
export function parseLedger(text: string): RegionLedger | undefined {
  try {
    const ledger = JSON.parse(text) as Partial<RegionLedger> | null;
    const isLedger =
      typeof ledger?.config === 'string' &&
      typeof ledger.given === 'object' &&
      typeof ledger.received === 'object' &&
      Array.isArray(ledger.past) &&
      Number.isFinite(ledger.rate) &&
      Number.isFinite(ledger.demand) &&
      Number.isFinite(ledger.atMs);
    return isLedger ? (ledger as RegionLedger) : undefined;
  } catch {
    return undefined;
  }
}
