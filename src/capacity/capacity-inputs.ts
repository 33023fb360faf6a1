/** Load, settings and prices of a capacity plan. */
export interface CapacityInputs {
  users: number;
  /** Operations per second at the peak, in all regions. */
  rps: number;
  /** Limits that apply to one operation. */
  limits: number;
  regions: number;
  /** Interval of the exchange between regions, in milliseconds. */
  exchangeMs: number;
  /** Different names of operations that a caller sends. */
  operations: number;
  /** Mean of the operations per second over a day, in per cent of the peak. */
  meanPercent: number;
  /** Exponent of the Zipf distribution of operations over callers. */
  zipf: number;
  /** Longest window of a limit, in hours. */
  windowHours: number;
  /** Kind of the copies of callers in Redis. */
  copies: 'keys' | 'users' | 'none';
  /** Processor time of an instance for one operation, in microseconds. */
  cpuUs: number;
  /** Highest use of a core or of the memory that the plan allows, in per cent. */
  usePercent: number;
  /** Interval in which an instance stores its usage, in milliseconds. */
  flushMs: number;
  /** Operations within a flush with which an instance counts a caller separately. */
  minCallerOperations: number;
  minutesDays: number;
  hoursDays: number;
  daysDays: number;
  /** Memory of one Redis server, in gigabytes. */
  redisGb: number;
  /** Price of a core for a month, of an instance or of PostgreSQL. All prices have the same currency. */
  priceCore: number;
  /** Price of a Redis server for a month. */
  priceRedis: number;
  /** Price of a gigabyte of disk for a month. */
  priceDiskGb: number;
  /** Price of a gigabyte of traffic between zones. */
  priceNetworkGb: number;
}
