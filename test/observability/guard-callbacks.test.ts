import { expect, it } from 'vitest';
import { guardObserver } from '../../src/observability/guard-callback.js';
import { broadcastRules, type LiveRulesObserver } from '../../src/rules/live/live-rules-observer.js';

class Observer implements LiveRulesObserver {
  readonly seen: unknown[] = [];
  copyRepaired(): void {
    this.seen.push('repaired');
  }
  databaseAway(): void {
    throw new Error('of the server alone');
  }
  async snapshotFailed(): Promise<void> {
    throw new Error('of the server alone, and later');
  }
}

it('an observer that throws or rejects does not prevent calls of other observers, and the log names its method', async () => {
  const logged: string[] = [];
  const logger = { info() {}, warn() {}, error: (_: unknown, text?: string) => void logged.push(String(text)) };
  const [first, second] = [new Observer(), { away: 0, databaseAway: () => void second.away++ }];
  const methods = Object.keys(broadcastRules([])) as (keyof LiveRulesObserver)[];
  const all = broadcastRules([guardObserver<LiveRulesObserver>('observer', first, methods, logger), second]);
  all.copyRepaired();
  all.databaseAway(true, undefined);
  all.snapshotFailed(undefined);
  await Promise.resolve();
  expect([first.seen, second.away]).toEqual([['repaired'], 1]);
  expect(logged).toEqual(
    ['databaseAway', 'snapshotFailed'].map(
      (method) => `observer.${method} of createTollgate failed: operations continue without it`,
    ),
  );
});
