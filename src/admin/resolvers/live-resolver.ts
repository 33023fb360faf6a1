import { Arg, Int, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { TrafficSample } from '../../observability/live/create-traffic-samples.js';
import { type HotCaller, MAX_HOT_CALLERS } from '../../observability/live/hot-callers.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { presentCaller } from '../context/present-caller.js';
import { badQuery } from '../schema/to-client-error.js';
import { HotCallersType, type HotCallerType, LiveTrafficType } from '../types/live-traffic-type.js';

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
    return { time, processes, ...recent, callers, hotCallers };
  }

  samples() {
    const { watchTraffic } = this.sources;
    if (!watchTraffic) throw badQuery('liveTraffic: this process does not provide live traffic');
    return watchTraffic();
  }
}

function presentHotCaller({ decisionsPerSecond, ...who }: HotCaller): HotCallerType {
  return { caller: presentCaller(who), decisionsPerSecond: Math.round(decisionsPerSecond * 10) / 10 };
}
