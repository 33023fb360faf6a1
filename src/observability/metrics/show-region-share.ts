import type { Registry } from 'prom-client';
import type { MonitoredLimiter } from '../../limiter/create-limiter.js';
import { Gauge } from './load-prom-client.js';

/** Registers the share of a region, and the age of the counts that it has read of the others. */
export function showRegionShare(
  registry: Registry,
  limiter: Pick<MonitoredLimiter, 'regionShare' | 'regionCounts'>,
): void {
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
  new Gauge({
    name: 'tollgate_region_counts_age_seconds',
    help: 'Time since this region has read the counts of another one, for watched limits. Only if regions exchange counts.',
    labelNames: ['region'],
    registers: [registry],
    collect() {
      for (const [region, ageMs] of Object.entries(limiter.regionCounts()?.readAgeMs ?? {})) {
        this.set({ region }, ageMs / 1000);
      }
    },
  });
}
