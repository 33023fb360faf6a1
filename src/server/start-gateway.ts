import type { Registry } from 'prom-client';
import type { Protect } from '../any-server/protect.js';
import { createByteRate } from '../gateway/byte-rate.js';
import { createGateway, type GatewayContext } from '../gateway/create-gateway.js';
import type { GatewaySettings } from '../gateway/gateway-settings.js';
import { keepInexactBody } from '../gateway/keep-inexact-body.js';
import type { RefreshOutcome } from '../gateway/schema/open-upstream-schema.js';
import { createSocketGateway } from '../gateway/sockets/create-socket-gateway.js';
import { type CircuitBreaker, createCircuitBreaker } from '../gateway/upstream/circuit-breaker.js';
import { createReadBudget } from '../gateway/upstream/read-budget.js';
import { createUpstream, type Upstream } from '../gateway/upstream/upstream.js';
import type { UpstreamCode, UpstreamFailure } from '../gateway/upstream/upstream-failure.js';
import type { Logger } from '../model/logger.js';
import { boundedCallerKey } from '../observability/live/named-caller.js';
import { showUpstream, timeUpstream } from '../observability/metrics/upstream-metrics.js';
import { type Clock, monotonicClock } from '../runtime/clock.js';
import type { PlatformTollgate } from '../tollgate/create-tollgate.js';
import type { ApiContext } from './api-context.js';
import type { Config } from './config/config.js';
import type { HandlerEndpoint } from './http/create-app.js';
import { knowCallers } from './know-callers.js';
import { logPrices } from './log-prices.js';
import { openPricedUpstream, type PricedUpstream } from './open-priced-upstream.js';
import { createSchemaRecord } from './schema-record.js';
import { type RemoteApi, type RunningServer, startPlatform } from './start-server.js';
import type { StartServerOptions } from './start-server-options.js';

interface StartGatewayOptions extends Pick<StartServerOptions, 'tiers' | 'rules' | 'prepare' | 'mayReportCost'> {
  config: Config;
  gateway: GatewaySettings;
  logger: Logger;
  /** Clock of the circuit breaker in milliseconds, for tests. @default the monotonic clock */
  circuitClock?: Clock;
}

interface RunningGateway extends RunningServer {
  /** Reads the schema and the prices again, and puts them in force. */
  refreshSchema(reason: string): Promise<RefreshOutcome>;
}

/** Starts the platform in front of a remote API. @throws StartError if its schema is unavailable */
export async function startGateway({
  config,
  gateway,
  logger,
  circuitClock = monotonicClock,
  ...policy
}: StartGatewayOptions): Promise<RunningGateway> {
  let onBegun = (_afterMs: number): void => {};
  let endSockets = (): void => {};
  const breaker = createCircuitBreaker({ now: circuitClock });
  const reached = { url: gateway.upstream, timeoutMs: gateway.upstreamTimeoutMs, breaker };
  const upstream = createUpstream({
    ...reached,
    maxRequests: gateway.maxUpstreamRequests,
    onBegun: (afterMs) => onBegun(afterMs),
  });
  // Subscriptions have connections of their own: they stay open for long, and would otherwise block
  // all queries.
  const subscriptions = createUpstream({
    ...reached,
    maxRequests: gateway.maxUpstreamSubscriptions,
    idleTimeoutMs: 0,
  });
  const closers: (() => Promise<void>)[] = [() => upstream.close(), () => subscriptions.close()];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const opening = openPricedUpstream({ config, gateway, upstream, logger });
    closers.push(opening.close);
    const api = await opening.opened;
    const remoteApi: RemoteApi = {
      schema: api.schema(),
      schemaSource: {
        address: addressOfUpstream(gateway.upstream),
        async refresh(by) {
          const outcome = await api.refresh(`requested by ${by.actor.name}`, by);
          return { ...outcome, warnings: api.misfits() };
        },
      },
      ...(gateway.observe && { mode: 'SHADOW', onSettled: logPrices(logger) }),
      async open(tollgate, platform, metrics) {
        onBegun = timeUpstream(metrics);
        return openEndpoint({
          config,
          platform,
          gateway,
          breaker,
          upstream,
          subscriptions,
          api,
          tollgate,
          metrics,
          logger,
          onStop(end) {
            endSockets = end;
          },
        });
      },
    };
    const server = await startPlatform({ ...policy, cost: api.cost(), config, logger }, { remoteApi });
    return {
      ...server,
      refreshSchema: (reason) => api.refresh(reason),
      async stop() {
        endSockets();
        await server.stop();
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

interface EndpointOptions extends Pick<StartGatewayOptions, 'config' | 'gateway' | 'logger'> {
  readonly platform: Config;
  readonly breaker: CircuitBreaker;
  readonly upstream: Upstream;
  readonly subscriptions: Upstream;
  readonly api: PricedUpstream;
  readonly tollgate: PlatformTollgate<ApiContext>;
  readonly metrics: Registry;
  /** Sets the function that ends the WebSockets when the gateway stops. */
  onStop(end: () => void): void;
}

/** Returns the endpoint that protects the API and forwards admitted operations. */
function openEndpoint({
  config,
  platform,
  gateway,
  breaker,
  upstream,
  subscriptions,
  api,
  tollgate,
  metrics,
  logger,
  onStop,
}: EndpointOptions): HandlerEndpoint {
  const { identify, addressOf, protocolOf, reject } = knowCallers(tollgate, config);
  const { maxBatchSize, production, corsOrigins } = platform;
  let protect = tollgate.protect as unknown as Protect<GatewayContext>;
  const record = createSchemaRecord({
    store: tollgate.administration!.store,
    key: addressOfUpstream(gateway.upstream),
    first: api.priced(),
    logger,
  });
  api.follow({
    // Requests in flight keep the protection with which they began.
    changed: (schema, cost) => {
      protect = tollgate.protectWith({ schema, cost }) as unknown as Protect<GatewayContext>;
    },
    refreshed: record.note,
  });
  const budget = createReadBudget({ maxBytes: gateway.maxHeldBytes, maxBytesEach: gateway.maxReadBytes });
  const failures = countFailures(reportFailures(logger));
  showUpstream(metrics, { upstream, subscriptions, budget, failures: failures.byCode });
  const options = {
    upstream,
    subscriptions,
    heartbeatMs: gateway.heartbeatMs,
    protect: () => protect,
    identify,
    reject,
    callerKey: boundedCallerKey,
    addressOf,
    protocolOf,
    headers: {
      allowed: gateway.allowedHeaders,
      denied: gateway.deniedHeaders,
      ...(gateway.passedHeaders && { passed: gateway.passedHeaders }),
    },
    timeoutMs: gateway.upstreamTimeoutMs,
    budget,
    byteRate: createByteRate(gateway.tokensPerKib),
    maxBatchSize,
    production,
    onFailure: failures.count,
  };
  return {
    path: '/graphql',
    corsOrigins,
    reject,
    verifyBody: keepInexactBody,
    handle: (onAnswer) => createGateway(options, onAnswer),
    upgrade(onAnswer) {
      const sockets = createSocketGateway({
        ...options,
        breaker,
        socketUrl: gateway.upstreamSocket ?? gateway.upstream.replace(/^http/, 'ws'),
        connections: tollgate.connections,
        socketCredentials: gateway.socketCredentials ?? [],
        corsOrigins,
        maxSocketOperations: gateway.maxSocketOperations,
        maxReadBytes: gateway.maxReadBytes,
        maxMessageBytes: platform.maxBodyBytes,
        onAnswer,
        onError: (error) => logger.error({ err: error }, 'A message of a WebSocket failed'),
      });
      onStop(sockets.endAll);
      return sockets.upgrade;
    },
  };
}

/** Returns the address without its query string, which may contain a secret. */
function addressOfUpstream(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

interface CountedFailures {
  readonly byCode: Record<Exclude<UpstreamCode, 'UPSTREAM_OVERLOADED' | 'HEADERS_TOO_LARGE'>, number>;
  count(failure: UpstreamFailure): void;
}

/**
 * Counts failures by code. Requests that the gateway rejects are excluded, because they are counted
 * by reason elsewhere. Headers that are too large are also excluded, because the caller causes
 * them.
 */
function countFailures(report: (failure: UpstreamFailure) => void): CountedFailures {
  const byCode = { UPSTREAM_UNAVAILABLE: 0, UPSTREAM_INVALID_ANSWER: 0, UPSTREAM_TIMEOUT: 0 };
  return {
    byCode,
    count(failure) {
      if (failure.code === 'HEADERS_TOO_LARGE') return;
      if (failure.code !== 'UPSTREAM_OVERLOADED') byCode[failure.code]++;
      report(failure);
    },
  };
}

const REPORT_EVERY_MS = 10_000;

/**
 * Logs the first failure of each kind, and then one every ten seconds: an upstream outage must not
 * fill the log.
 */
function reportFailures(logger: Logger): (failure: UpstreamFailure) => void {
  const reportedAtMs = new Map<string, number>();
  return ({ code, message, details: { cause, status, why } }) => {
    const nowMs = performance.now();
    if (nowMs - (reportedAtMs.get(code) ?? Number.NEGATIVE_INFINITY) < REPORT_EVERY_MS) return;
    reportedAtMs.set(code, nowMs);
    logger.error(
      { ...(cause !== undefined && { err: cause }), code, status },
      `A request to the upstream failed: ${message}${why === undefined ? '' : `: ${why}`}`,
    );
  };
}
