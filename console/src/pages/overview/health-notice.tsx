import { Link } from 'wouter';
import { whole } from '../../parts/text/format.js';
import { Icon } from '../../parts/text/icon.js';

/**
 * Shows a notice about decisions without the shared counters in the range. Current problems are
 * shown above every page.
 */
export function HealthNotice({ degraded }: { degraded: number }) {
  if (degraded === 0) return null;
  return (
    <div className="notice notice-warn" role="status">
      <Icon name="warning" />
      <div>
        <strong>It was not well all the time</strong>
        <p>
          {whole(degraded)} operations of this time were decided without the shared counters.{' '}
          <Link href="/health">Health</Link>
        </p>
      </div>
    </div>
  );
}
