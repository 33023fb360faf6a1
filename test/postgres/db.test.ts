import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Db, sqlStateOf } from '../../src/postgres/db.js';
import { DATABASES, type TestDatabase } from './databases.js';

describe.each(DATABASES)('Db on $database', ({ openDatabase }) => {
  let opened: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    opened = await openDatabase('empty');
    db = opened.db;
    await db.query('create table notes (id integer primary key, body text not null)');
  });
  afterAll(() => opened.dispose());

  it('values of every type are returned in their documented form', async () => {
    const [row] = await db.query(`select 42::int8 as small, 9223372036854775807::int8 as large, -7::int8 as negative,
      1.10::numeric as exact, 3::int4 as int4, 0.5::float8 as float8, true as yes, null::text as nothing,
      '2026-01-31 12:00:00.25+05:30'::timestamptz as moment, '2026-01-31'::date as day,
      '{"a": [1, null]}'::jsonb as document, '{x,"y z"}'::text[] as list, count(*) as counted from notes`);
    expect(row).toEqual({
      small: 42,
      large: 9223372036854775807n,
      negative: -7,
      exact: '1.10',
      int4: 3,
      float8: 0.5,
      yes: true,
      nothing: null,
      moment: new Date('2026-01-31T06:30:00.250Z'),
      day: '2026-01-31',
      document: { a: [1, null] },
      list: ['x', 'y z'],
      counted: 0,
    });
  });

  it('a timestamp is returned as the same moment in every time zone of the session', async () => {
    const moments = await db.tx(async (tx) => {
      const seen: Date[] = [];
      for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Asia/Tokyo']) {
        await tx.query(`set local time zone '${zone}'`);
        const [row] = await tx.query<{ moment: Date }>(`select '2026-07-01T00:00:00.123456Z'::timestamptz as moment`);
        seen.push(row!.moment);
      }
      return seen.map((moment) => moment.toISOString());
    });
    expect(new Set(moments)).toEqual(new Set(['2026-07-01T00:00:00.123Z']));
  });

  it('parameters of every type are accepted', async () => {
    const moment = new Date('2026-03-04T05:06:07.089Z');
    const [row] = await db.query(
      `select $1::text as text, $2::int8 as number, $3::int8 as large, $4::boolean as flag, $5::timestamptz as moment,
        $6::text as nothing, $7::text[] as list, $8::jsonb as document, $9::int8[] @> array[2::int8] as contains`,
      ['a"\\', 2 ** 40, 2n ** 62n, false, moment, null, ['p', 'q"r', 's,t'], JSON.stringify({ k: 'v' }), [1, 2]],
    );
    expect(row).toEqual({
      text: 'a"\\',
      number: 2 ** 40,
      large: 2n ** 62n,
      flag: false,
      moment,
      nothing: null,
      list: ['p', 'q"r', 's,t'],
      document: { k: 'v' },
      contains: true,
    });
  });

  it('an error keeps its SQLSTATE and contains no parameter', async () => {
    await db.query('insert into notes values (1, $1)', ['first']);
    const twice = db.query('insert into notes values (1, $1)', ['very-secret']);
    const error = await twice.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(sqlStateOf(error)).toBe('23505');
    expect(JSON.stringify({ ...(error as Error), message: (error as Error).message })).not.toContain('very-secret');
    await expect(db.query('select * from nowhere')).rejects.toMatchObject({ code: '42P01' });
    await db.query('delete from notes');
  });

  it('a transaction is committed if its function resolves, and rolled back if it rejects', async () => {
    const kept = await db.tx(async (tx) => {
      await tx.query('insert into notes values (2, $1)', ['kept']);
      return 'done';
    });
    await expect(
      db.tx(async (tx) => {
        await tx.query('insert into notes values (3, $1)', ['lost']);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(kept).toBe('done');
    expect(await db.query('select id from notes')).toEqual([{ id: 2 }]);
  });

  it('a transaction rejects if its function ignores the failure of a statement', async () => {
    const swallowed = db.tx(async (tx) => {
      await tx.query('insert into notes values (4, $1)', ['lost']);
      await tx.query('select * from nowhere').catch(() => []);
    });
    await expect(swallowed).rejects.toMatchObject({ code: '25P02' });
    expect(await db.query('select id from notes where id = 4')).toEqual([]);
  });

  it('using the database inside its own transaction is rejected, because PGlite would deadlock', async () => {
    await expect(db.tx(() => db.query('select 1'))).rejects.toThrow('db.query was called inside db.tx');
    await expect(db.tx(() => db.tx(async () => {}))).rejects.toThrow('db.tx was called inside db.tx');
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it("concurrent transactions do not see each other's changes", async () => {
    await db.query('create table totals (total integer not null)');
    await db.query('insert into totals values (0)');
    const addOne = () =>
      db.tx(async (tx) => {
        const [row] = await tx.query<{ total: number }>('select total from totals for update');
        await tx.query('update totals set total = $1', [row!.total + 1]);
      });
    await Promise.all(Array.from({ length: 20 }, addOne));
    expect(await db.query('select total from totals')).toEqual([{ total: 20 }]);
  });

  it('a script of several statements runs, including functions that contain semicolons', async () => {
    await db.tx((tx) =>
      tx.script(`create function two() returns integer language plpgsql as $$ begin return 2; end $$;
        create table scripted (id integer); insert into scripted values (two());`),
    );
    expect(await db.query('select id from scripted')).toEqual([{ id: 2 }]);
  });
});
