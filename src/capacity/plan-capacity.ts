import type { CapacityInputs } from './capacity-inputs.js';
import { expectedRows } from './expected-rows.js';
import { type Figure, figure } from './figure.js';
import { MEASURED } from './measured.js';
import { numberText as n } from './number-text.js';
import { planUsage } from './plan-usage.js';

export interface CapacityPlan {
  figures: Record<FigureName, Figure>;
  /** Bounds of one PostgreSQL. */
  walls: Usage['walls'];
  /** The load of usage with other settings. */
  alternatives: Usage['alternatives'];
}

type Usage = ReturnType<typeof planUsage>;

type FigureName =
  | keyof ReturnType<typeof instancesOf>
  | keyof ReturnType<typeof redisOf>
  | keyof Usage['figures']
  | 'networkBytes'
  | 'watchedExcess'
  | 'cost';

const DAY_S = 86_400;
const MONTH_DAYS = 30;
/** Memory of the persisted queries, a fixed maximum for all instances. */
const PERSISTED_BYTES = 32 * 2 ** 20;

/** Computes machines, rows, bytes and costs from the load and the measured constants. */
export function planCapacity(inputs: CapacityInputs): CapacityPlan {
  const shares = sharesOf(inputs);
  const instances = instancesOf(inputs, shares);
  const redis = redisOf(inputs, shares);
  const { figures: postgres, ...usage } = planUsage(inputs, instances.instances.value);
  const wireBytes = byLimits(inputs.limits, MEASURED.wireBytesOfOneLimit.value, MEASURED.wireBytesOfSixLimits.value);
  const monthOperations = meanRps(inputs) * DAY_S * MONTH_DAYS;
  const networkBytes: Figure = {
    value: monthOperations * wireBytes,
    unit: 'bytes',
    formula: `${n(meanRps(inputs))}/s × ${n(DAY_S * MONTH_DAYS)} s × ${n(wireBytes)} bytes between an instance and Redis, in a month`,
  };
  const { priceCore, priceRedis, priceDiskGb, priceNetworkGb } = inputs;
  const cost: Figure = {
    value:
      instances.instances.value * priceCore +
      redis.redisServers.value * priceRedis +
      postgres.postgresCores.value * priceCore +
      (postgres.diskBytes.value / 1e9) * priceDiskGb +
      (networkBytes.value / 1e9) * priceNetworkGb,
    unit: 'per month',
    formula: [
      `${n(instances.instances.value)} instances × ${n(priceCore)}`,
      `${n(redis.redisServers.value)} Redis servers × ${n(priceRedis)}`,
      `${n(postgres.postgresCores.value)} cores of PostgreSQL × ${n(priceCore)}`,
      `${n(postgres.diskBytes.value / 1e9)} GB of disk × ${n(priceDiskGb)}`,
      `${n(networkBytes.value / 1e9)} GB of traffic × ${n(priceNetworkGb)}`,
    ].join(' + '),
  };
  return {
    figures: { ...instances, ...redis, ...postgres, networkBytes, watchedExcess: excessOf(inputs), cost },
    ...usage,
  };
}

interface Shares {
  /** Share of the load that each region must be able to carry. */
  share: number;
  text: string;
}

/** A region does not know what the others have admitted within the last exchange. */
function excessOf({ rps, regions, exchangeMs }: CapacityInputs): Figure {
  const others = regions - 1;
  return figure(
    (others * (rps / regions) * exchangeMs) / 1000,
    'operations',
    `${n(others)} other regions × ${n(rps)}/s / ${n(regions)} × ${n(exchangeMs)} ms, of a limit that all callers share. Of any limit, at most ${n(others)} × its amount in a window`,
  );
}

/** Each region carries its part of the load of one lost region. */
function sharesOf({ regions }: CapacityInputs): Shares {
  if (regions === 1) return { share: 1, text: '' };
  return { share: 1 / (regions - 1), text: ` / ${regions - 1} regions that are left after the loss of one` };
}

function instancesOf({ rps, regions, cpuUs, usePercent }: CapacityInputs, { share, text }: Shares) {
  const perRegion = Math.max(2, Math.ceil((rps * share * cpuUs) / 1e6 / (usePercent / 100)));
  return {
    instances: figure(
      perRegion * regions,
      'servers',
      `${n(regions)} × (${n(rps)}/s${text} × ${n(cpuUs)} us / ${usePercent} % of a core), at least 2 in a region`,
    ),
  };
}

function redisOf(inputs: CapacityInputs, { share, text }: Shares) {
  const { rps, regions, limits, usePercent, windowHours, copies, redisGb } = inputs;
  const us = byLimits(limits, MEASURED.redisUsOfOneLimit.value, MEASURED.redisUsOfSixLimits.value);
  const counterBytes = byLimits(limits, MEASURED.counterBytesOfOneLimit.value, MEASURED.counterBytesOfSixLimits.value);
  const copyBytes = { keys: MEASURED.keyCopyBytes.value, users: MEASURED.userCopyBytes.value, none: 0 }[copies];
  const traffic = { callers: Math.ceil(inputs.users * share), exponent: inputs.zipf };
  const active = expectedRows(traffic, { operations: meanRps(inputs) * share * windowHours * 3600 });
  const ofHour = expectedRows(traffic, { operations: meanRps(inputs) * share * 3600 });
  const cores = (rps * share * us) / 1e6;
  const bytes = active * counterBytes + ofHour * copyBytes + PERSISTED_BYTES;
  const byCpu = Math.ceil(cores / (usePercent / 100));
  const byMemory = Math.ceil(bytes / (usePercent / 100) / (redisGb * 1e9));
  const shards = Math.max(byCpu, byMemory);
  return {
    redisCores: figure(
      cores,
      'cores',
      `in a region: ${n(rps)}/s${text} × ${n(us)} us for a charge and a settlement of ${limits} limits`,
    ),
    activeCallers: figure(
      active,
      'callers',
      `in a region: callers of ${windowHours} hours, by a Zipf distribution with exponent ${inputs.zipf}`,
    ),
    redisBytes: figure(
      bytes,
      'bytes',
      `in a region: ${n(active)} callers × ${n(counterBytes)} bytes + ${n(ofHour)} callers of an hour × ${n(copyBytes)} bytes (copies: ${copies}) + 32 MiB`,
    ),
    redisShards: figure(
      shards,
      'servers',
      `in a region: the larger of ${n(cores)} cores / ${usePercent} % = ${n(byCpu)}, and ${gb(bytes)} / ${usePercent} % of ${n(redisGb)} GB = ${n(byMemory)}`,
    ),
    redisServers: figure(
      shards * 2 * regions,
      'servers',
      `${n(shards)} shards × (a primary and a replica) × ${n(regions)} regions`,
    ),
  };
}

const meanRps = ({ rps, meanPercent }: CapacityInputs) => (rps * meanPercent) / 100;
const gb = (bytes: number) => `${n(bytes / 1e9)} GB`;

/** Interpolates between the constants of one limit and of six limits. */
function byLimits(limits: number, ofOne: number, ofSix: number): number {
  return ofOne + ((limits - 1) * (ofSix - ofOne)) / 5;
}
