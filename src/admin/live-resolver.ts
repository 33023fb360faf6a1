import { Arg, Int, Resolver, Root, Subscription } from 'type-graphql';
import { badQuery } from './bad-query.js';
import { LiveTrafficType } from './platform/live-types.js';

/** What is told as it happens. */
@Resolver()
export class LiveResolver {
  // The source is the service's: see createAdminSchema, as TypeGraphQL gives `subscribe` no resolver to ask.
  @Subscription(() => LiveTrafficType, {
    subscribe: () => {
      throw badQuery('liveTraffic: nobody has said where it comes from');
    },
    description:
      'The traffic as it is now, every second, over server-sent events at `/admin/graphql/stream`: `subscription { liveTraffic(top: 3) { admitted throttled cost subjects { user cost } } }`.',
  })
  liveTraffic(
    @Root() sample: LiveTrafficType | undefined,
    @Arg('top', () => Int, { defaultValue: 10, description: 'How many subjects at most, 0 to 50.' }) top: number,
  ): LiveTrafficType {
    if (sample === undefined) throw badQuery('liveTraffic: subscriptions are answered at /admin/graphql/stream');
    if (top < 0 || top > 50) throw badQuery(`top: expected 0 to 50, got ${top}`);
    return { ...sample, subjects: sample.subjects.slice(0, top) };
  }
}
