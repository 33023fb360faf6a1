import type { Registry } from 'prom-client';
import type { MonitoredLimiter } from '../../limiter/create-limiter.js';
import { Gauge } from './load-prom-client.js';

/** Registers the share of a region that moves its shares by demand. */
export function showRegionShare(registry: Registry, limiter: Pick<MonitoredLimiter, 'regionShare'>): void {
  new Gauge({
    name: 'tollgate_region_share_percent',
    help: 'Share of split limits that this instance uses now, in percent. Only if regions move their shares.',
    labelNames: ['region'],
    registers: [registry],
    collect() {
      const share = limiter.regionShare();
      if (share) this.set({ region: share.region }, share.percent);
    },
  });
  new Gauge({
    name: 'tollgate_region_share_age_seconds',
    help: 'Time since this instance has read the share of its region in Redis. Only if regions move their shares.',
    labelNames: ['region'],
    registers: [registry],
    collect() {
      const share = limiter.regionShare();
      if (share) this.set({ region: share.region }, share.ageMs / 1000);
    },
  });
}
