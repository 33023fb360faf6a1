import { afterEach, expect, it } from 'vitest';
import type { Db } from '../../src/postgres/db.js';
import { type ChangeFeed, createChangeFeed } from '../../src/rules/live/change-feed.js';

let feed: ChangeFeed | undefined;
afterEach(() => feed?.close());

/**
 * Starts a feed whose database the test controls. `commit` adds a change, and `endLook` ends the
 * next query.
 */
function startFeed() {
  let committed = 0;
  const looks: (() => void)[] = [];
  /** Returns the changes that were committed when the query began, like a SQL statement. */
  async function query<Row>(_sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    const numbers = Array.from({ length: committed }, (_, i) => i + 1).filter((number) => number > Number(params[0]));
    await new Promise<void>((resolve) => looks.push(resolve));
    return numbers.map((number) => ({ number, entity: 'RULE', key: '1', ageMs: 0 })) as Row[];
  }
  const following = createChangeFeed({
    db: { query } as unknown as Db,
    apply: async () => {},
    onLook() {},
    pollMs: 3_600_000,
  });
  feed = following;
  following.start(0);
  return {
    feed: following,
    commit: () => ++committed,
    async endLook() {
      await expect.poll(() => looks.length).toBe(1);
      looks.shift()!();
    },
  };
}

it('a poll for a change ends only once that change is in force, even after a poll for an older change', async () => {
  const { feed, commit, endLook } = startFeed();
  const first = commit();
  const polled = feed.look();
  const ofFirst = feed.look(first);
  const second = commit();
  let wasInForce: boolean | undefined;
  const ofSecond = feed.look(second).then(() => {
    wasInForce = feed.number >= second;
  });
  await endLook();
  await polled;
  await endLook();
  await Promise.all([ofFirst, ofSecond]);
  expect(wasInForce).toBe(true);
});
