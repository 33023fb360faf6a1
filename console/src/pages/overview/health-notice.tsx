import type { OverviewQuery } from '../../generated/graphql.js';
import { whole } from '../../parts/text/format.js';
import { Icon } from '../../parts/text/icon.js';

/** What is wrong with Redis, PostgreSQL or the rules right now, and what was decided without the shared counters. */
export function HealthNotice({ health, degraded }: { health: OverviewQuery['health']; degraded: number }) {
  const problems = [...health.problems];
  if (degraded > 0)
    problems.push(`${whole(degraded)} operations of this time were decided without the shared counters`);
  if (problems.length === 0) return null;
  return (
    <div className="notice notice-warn" role="status">
      <Icon name="warning" />
      <div>
        <strong>{health.ok ? 'It was not well all the time' : 'Degraded'}</strong>
        {problems.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </div>
    </div>
  );
}
