import { Arg, Int, Resolver, Root, Subscription } from 'type-graphql';
import type { TrafficSample } from '../../observability/live/live-traffic.js';
import type { AdminSources } from '../admin-sources.js';
import { presentCaller } from '../callers/present-caller.js';
import { Requires } from '../roles.js';
import { badQuery } from '../schema/admin-errors.js';
import { LiveTrafficType } from './live-types.js';

/** What is shown as it happens. */
@Resolver()
export class LiveResolver {
  constructor(private readonly sources: AdminSources) {}

  // The source is `samples`: see createAdminSchema, as TypeGraphQL gives `subscribe` no resolver to ask.
  @Requires('VIEWER')
  @Subscription(() => LiveTrafficType, {
    subscribe: () => {
      throw badQuery('liveTraffic: no source of it is configured');
    },
    description:
      'The traffic of the last ten seconds, every second, over server-sent events at `/admin/graphql/stream`: `subscription { liveTraffic(top: 3) { admitted throttled cost callers { caller { name } cost } } }`.',
  })
  liveTraffic(
    @Root() sample: TrafficSample | undefined,
    @Arg('top', () => Int, { defaultValue: 10, description: 'How many callers at most, 0 to 50.' }) top: number,
  ): LiveTrafficType {
    if (sample === undefined) throw badQuery('liveTraffic: subscriptions are answered at /admin/graphql/stream');
    if (top < 0 || top > 50) throw badQuery(`top: expected 0 to 50, got ${top}`);
    const { subjects, recent, time, processes } = sample;
    const callers = subjects
      .slice(0, top)
      .map(({ decisions, denied, cost, ...who }) => ({ caller: presentCaller(who), decisions, denied, cost }));
    return { time, processes, ...recent, callers };
  }

  samples() {
    const { watchTraffic } = this.sources;
    if (!watchTraffic) throw badQuery('liveTraffic: nothing is watched here');
    return watchTraffic();
  }
}
