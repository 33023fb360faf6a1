import { Arg, Ctx, Field, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { badQuery } from '../schema/to-client-error.js';

@ObjectType('DemoTraffic', {
  description: 'Simulated callers that send operations to the sample API of this process.',
})
class DemoTrafficType {
  @Field(() => Boolean, {
    description:
      'Whether the simulated callers send operations. Each start of the process turns them on, except with `--no-traffic`.',
  })
  isOn!: boolean;
}

@Resolver()
export class DemoTrafficResolver {
  constructor(private readonly sources: AdminSources) {}

  @Requires('VIEWER')
  @Query(() => DemoTrafficType, {
    nullable: true,
    description: 'The simulated callers of the sample API; null if this process serves no sample API.',
  })
  demoTraffic(): DemoTrafficType | null {
    const { demoTraffic } = this.sources;
    return demoTraffic ? { isOn: demoTraffic.isOn } : null;
  }

  @Requires('OPERATOR')
  @Mutation(() => DemoTrafficType, { description: 'Turns the simulated callers of the sample API on or off.' })
  async demoTrafficSet(
    @Arg('isOn', () => Boolean, { description: '`true` turns the simulated callers on, `false` turns them off.' })
    isOn: boolean,
    @Ctx() { actor }: AdminContext,
  ): Promise<DemoTrafficType> {
    const { demoTraffic } = this.sources;
    if (!demoTraffic) throw badQuery('isOn: this process serves no sample API, so it has no simulated callers');
    await (isOn ? demoTraffic.turnOn(actor.name) : demoTraffic.turnOff(actor.name));
    return { isOn: demoTraffic.isOn };
  }
}
