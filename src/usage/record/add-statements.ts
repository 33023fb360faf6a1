/** Statements that add the same counts to several tables. */
export interface AddStatements {
  /** One statement for all tables: one round trip. */
  together: string;
  /**
   * One statement per table, for the embedded database, which blocks the process during each
   * statement.
   */
  apart: readonly string[];
}

/**
 * Returns the statements that add rows of counts to several tables. The parameters of each
 * statement are arrays: the start of the minute in epoch seconds, the keys, and the counts.
 * @param keyTypes PostgreSQL type of each key column, in the order of the parameters
 * @param counts count columns, all of type `bigint`
 */
export function addStatements(
  keyTypes: Record<string, string>,
  counts: readonly string[],
  targets: readonly Target[],
): AddStatements {
  return {
    together: addSql(keyTypes, counts, targets),
    apart: targets.map((target) => addSql(keyTypes, counts, [target])),
  };
}

type Level = 'minute' | 'hour' | 'day' | 'week';
type Target = readonly [table: string, level: Level, keys: readonly string[]];

/**
 * Returns one statement that adds the same counts to several tables. For `usage_field_*` it is:
 *
 *     with added (bucket, field_id, requests, ...) as (
 *       select to_timestamp(bucket), field_id, requests, ...
 *       from unnest($1::bigint[], $2::integer[], $3::bigint[], ...) as given (bucket, field_id, requests, ...)
 *     ), usage_field_hour_added as (
 *       insert into usage_field_hour as kept (bucket, field_id, requests, ...)
 *       select date_bin('1 hour', bucket, 'epoch'), field_id, sum(requests), ... from added group by 1, 2 order by 1, 2
 *       on conflict (bucket, field_id) do update set requests = kept.requests + excluded.requests, ...
 *     ), ... select
 */
function addSql(keyTypes: Record<string, string>, counts: readonly string[], targets: readonly Target[]): string {
  const columns = ['bucket', ...Object.keys(keyTypes), ...counts];
  const types = ['bigint', ...Object.values(keyTypes), ...counts.map(() => 'bigint')];
  const inserts = targets.map(([table, level, keys]) => {
    const places = [1, ...keys.map((_, index) => index + 2)].join(', ');
    return `${table}_added as (
      insert into ${table} as kept (${['bucket', ...keys, ...counts].join(', ')})
      select ${[`date_bin('1 ${level}', bucket, 'epoch')`, ...keys, ...counts.map((count) => `sum(${count})`)].join(', ')}
      from added group by ${places} order by ${places}
      on conflict (${['bucket', ...keys].join(', ')}) do update set
        ${counts.map((count) => `${count} = kept.${count} + excluded.${count}`).join(', ')}
    )`;
  });
  return `with added (${columns.join(', ')}) as (
      select to_timestamp(bucket), ${columns.slice(1).join(', ')}
      from unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})
        as given (${columns.join(', ')})
    ), ${inserts.join(', ')} select`;
}
