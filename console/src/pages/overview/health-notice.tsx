import { Link } from 'wouter';
import { whole } from '../../parts/text/format.js';
import { Icon } from '../../parts/text/icon.js';
import { overviewText } from '../../text/overview-text.js';

/**
 * Shows a notice about decisions without the shared counters in the range. Current problems are
 * shown above every page.
 */
export function HealthNotice({ degraded }: { degraded: number }) {
  if (degraded === 0) return null;
  const { withoutRedis } = overviewText;
  return (
    <div className="notice notice-warn" role="status">
      <Icon name="warning" />
      <div>
        <strong>{withoutRedis.title}</strong>
        <p>
          {withoutRedis.count(whole(degraded))} <Link href="/health">{withoutRedis.health}</Link>
        </p>
      </div>
    </div>
  );
}
