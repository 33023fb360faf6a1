import { expect, it } from 'vitest';
import type { DecisionRecord } from '../../src/model/decision-record.js';
import { logPrices } from '../../src/server/log-prices.js';

function start() {
  const lines: string[] = [];
  let nowMs = 0;
  const log = logPrices({ info: (line) => lines.push(String(line)) }, () => nowMs);
  const record = { operationType: 'QUERY', tier: 'free', requestedCost: 5, wouldBeDeniedBy: [] };
  return {
    lines,
    settle: (operationName?: string) => log({ ...record, operationName } as unknown as DecisionRecord, 3),
    advance(ms: number) {
      nowMs += ms;
    },
  };
}

it('the log contains the prices of the first ten operations of each second, and then the number of the others', () => {
  const { lines, settle, advance } = start();
  for (let i = 0; i < 500; i++) settle(`Operation${i}`);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe('Price: QUERY Operation0, estimated cost 5, paid cost 3, tier free');
  advance(1000);
  settle();
  settle();
  expect(lines.slice(10)).toEqual([
    'Price: QUERY without a name, estimated cost 5, paid cost 3, tier free (490 operations before it were not logged)',
    'Price: QUERY without a name, estimated cost 5, paid cost 3, tier free',
  ]);
});

it('a price line contains at most 200 bytes of the operation name', () => {
  const { lines, settle } = start();
  settle('a'.repeat(60_000));
  expect(lines[0]!.length).toBeLessThan(300);
});
