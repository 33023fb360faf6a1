import { Args, FieldResolver, Query, Resolver } from 'type-graphql';
import { TOLLGATE_VERSION } from '../../runtime/packages/tollgate-version.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { checkFirst } from '../context/check-usage-filter.js';
import { DatabaseHealthType, HealthType } from '../types/health-type.js';
import { InstancesArgs, InstanceType } from '../types/instance-type.js';

@Resolver(() => DatabaseHealthType)
export class HealthResolver {
  constructor(private readonly sources: AdminSources) {}

  @Requires('VIEWER')
  @Query(() => HealthType, { description: 'Health of the platform.' })
  async health(): Promise<HealthType> {
    const { problems, engines = [], rules } = this.sources.healthOf();
    const beganMs = performance.now();
    // Health is needed most while the database is unavailable, so this query must succeed without
    // it.
    const latestChange = await this.sources.store.latestChange().catch(() => null);
    const answeredAfterMs = latestChange === null ? null : performance.now() - beganMs;
    const all = latestChange === null ? [...problems, 'the database does not respond'] : [...problems];
    const away = rules?.databaseAway;
    return {
      ok: all.length === 0,
      latestChange,
      rulesetVersion: rules?.version ?? null,
      rulesetSource: rules?.source ?? null,
      problems: all,
      engines: engines.map(({ sinceMs, reason = null, divisor: _divisor, ...engine }) => ({
        ...engine,
        reason,
        since: new Date(sinceMs),
      })),
      database: {
        answeredAfterMs: answeredAfterMs && Math.round(answeredAfterMs * 10) / 10,
        awaySince: away ? new Date(away.sinceMs) : null,
        reason: away?.reason ?? null,
      },
      process: { version: TOLLGATE_VERSION, nodeVersion: process.version, startedAt: new Date(performance.timeOrigin) },
    };
  }

  @Requires('VIEWER')
  @Query(() => [InstanceType], {
    description:
      'The processes that use this database, ordered by service. Processes without a service come first. Processes of one service are ordered by their start, the oldest first.',
  })
  async instances(@Args(() => InstancesArgs) { first }: InstancesArgs): Promise<InstanceType[]> {
    const running = (await this.sources.instances?.(checkFirst(first))) ?? [];
    return running.map(({ divisor, seenAt, ...one }) => ({
      ...one,
      lastSeenAt: seenAt,
      localShare: 1 / divisor,
      state: one.problems.length === 0 ? 'READY' : 'DEGRADED',
    }));
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Version of PostgreSQL; null if the database does not respond.',
  })
  version(): Promise<string | null> {
    return this.sources.store.databaseVersion().catch(() => null);
  }
}
