import { Arg, Int, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { Rule } from '../../model/rule.js';
import { MAX_REPORTED_ADDRESSES } from '../../observability/live/address-users.js';
import type { TrafficSample } from '../../observability/live/create-traffic-samples.js';
import { type HotCaller, MAX_HOT_CALLERS } from '../../observability/live/hot-callers.js';
import { createAddressExemptions } from '../../rules/matching/create-address-exemptions.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { presentCaller } from '../context/present-caller.js';
import { badQuery } from '../schema/to-client-error.js';
import {
  HotCallersType,
  type HotCallerType,
  type LiveIntegrationType,
  LiveTrafficType,
} from '../types/live-traffic-type.js';
import { SharedAddressesType } from '../types/shared-addresses-type.js';

/** Number of stored rules per address that are read at once. */
const PAGE_SIZE = 1000;

/** Live data. */
@Resolver()
export class LiveResolver {
  constructor(private readonly sources: AdminSources) {}

  @Requires('VIEWER')
  @Query(() => HotCallersType, {
    description:
      'The callers with the most decisions now, in all processes that share a Redis. Each process tracks 32 callers, so it always finds callers with more than 1/32 of its decisions.',
  })
  async hotCallers(
    @Arg('top', () => Int, { defaultValue: 10, description: 'Maximum number of callers, 1 to 32.' }) top: number,
  ): Promise<HotCallersType> {
    if (top < 1 || top > MAX_HOT_CALLERS)
      throw badQuery(`top: expected a whole number from 1 to ${MAX_HOT_CALLERS}, got ${top}`);
    const { hotCallers } = this.sources;
    if (!hotCallers) throw badQuery('hotCallers: this process does not count callers');
    const { callers, ...report } = await hotCallers();
    return { ...report, callers: callers.slice(0, top).map(presentHotCaller) };
  }

  @Requires('VIEWER')
  @Query(() => SharedAddressesType, {
    description: `The addresses from which the most identified users sent operations in the last 30 to 60 minutes, in all processes that share a Redis. A limit per address counts the operations of all these users together: \`addresses { addresses { address users exemptions { yaml } } }\`.`,
  })
  async addresses(
    @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of addresses, 1 to 100.' }) first: number,
    @Arg('minUsers', () => Int, { defaultValue: 10, description: 'Minimum number of users, 1 or more.' })
    minUsers: number,
  ): Promise<SharedAddressesType> {
    if (first < 1 || first > MAX_REPORTED_ADDRESSES)
      throw badQuery(`first: expected a whole number from 1 to ${MAX_REPORTED_ADDRESSES}, got ${first}`);
    if (minUsers < 1) throw badQuery(`minUsers: expected a whole number of at least 1, got ${minUsers}`);
    const { sharedAddresses, store, inCode } = this.sources;
    if (!sharedAddresses) throw badQuery('addresses: this process does not count the users of addresses');
    const { addresses, ...report } = await sharedAddresses();
    const found = addresses.filter(({ users }) => users >= minUsers).slice(0, first);
    if (found.length === 0) return { ...report, addresses: [] };
    const filter = { scope: 'IP', mode: 'ENFORCE' } as const;
    const stored: Rule[] = [];
    for (let after = 0; ; after = Number(stored.at(-1)!.id)) {
      const page = await store.pageRules(filter, { after, limit: PAGE_SIZE });
      stored.push(...page);
      if (page.length < PAGE_SIZE) break;
    }
    const inCodes = (await inCode?.list(filter)) ?? [];
    const exemptionsOf = createAddressExemptions([...stored, ...inCodes.map(({ rule }) => rule)]);
    return {
      ...report,
      addresses: found.map(({ ip, ...one }) => ({ address: ip, ...one, exemptions: exemptionsOf(ip) })),
    };
  }

  // The source is `samples`. `createAdminSchema` sets it, because TypeGraphQL does not pass the
  // resolver to `subscribe`.
  @Requires('VIEWER')
  @Subscription(() => LiveTrafficType, {
    subscribe: () => {
      throw badQuery('liveTraffic: this process has no source of live traffic');
    },
    description:
      'Sends once per second the traffic of the last ten seconds, as server-sent events at `/admin/graphql/stream`: `subscription { liveTraffic(top: 3) { admitted throttled cost callers { caller { name } cost } } }`.',
  })
  liveTraffic(
    @Root() sample: TrafficSample | undefined,
    @Arg('top', () => Int, { defaultValue: 10, description: 'Maximum number of callers, 0 to 50.' }) top: number,
  ): LiveTrafficType {
    if (sample === undefined) throw badQuery('liveTraffic: send subscriptions to /admin/graphql/stream');
    if (top < 0 || top > 50) throw badQuery(`top: expected a whole number from 0 to 50, got ${top}`);
    const { subjects, recent, time, processes } = sample;
    const hotCallers = sample.hotCallers.slice(0, top).map(presentHotCaller);
    const callers = subjects
      .slice(0, top)
      .map(({ decisions, denied, cost, ...who }) => ({ caller: presentCaller(who), decisions, denied, cost }));
    return { time, processes, ...recent, callers, hotCallers, integrations: presentIntegrations(sample) };
  }

  samples() {
    const { watchTraffic } = this.sources;
    if (!watchTraffic) throw badQuery('liveTraffic: this process does not provide live traffic');
    return watchTraffic();
  }
}

/** Returns the traffic by integration. The operations that no other server asked for are the rest. */
function presentIntegrations({ recent, integrations }: TrafficSample): LiveIntegrationType[] {
  const denied = recent.throttled + recent.maxCostExceeded + recent.unavailable;
  const own = { integration: null, decisions: recent.admitted + denied, denied, cost: recent.cost };
  for (const one of integrations) {
    own.decisions -= one.decisions;
    own.denied -= one.denied;
    own.cost -= one.cost;
  }
  return [own, ...integrations]
    .filter(({ decisions, cost }) => decisions > 0 || cost > 0)
    .sort((a, b) => b.cost - a.cost || b.decisions - a.decisions);
}

function presentHotCaller({ decisionsPerSecond, ...who }: HotCaller): HotCallerType {
  return { caller: presentCaller(who), decisionsPerSecond: Math.round(decisionsPerSecond * 10) / 10 };
}
