import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { Icon } from '../text/icon.js';
import { type CsvValue, toCsv } from './csv.js';
import { sortRows } from './sort-rows.js';

export interface Column<Row> {
  title: string;
  /** What it is ordered by, and what an export of the table has. */
  value(row: Row): CsvValue;
  /** What is shown. @default the value */
  show?(row: Row): ReactNode;
  isNumber?: boolean;
}

export interface DataTableProps<Row> {
  /** Names the table for screen readers, its file, and its part of the address. */
  name: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf(row: Row): string;
  /** Buttons of a row. */
  actions?: (row: Row) => ReactNode;
  empty: ReactNode;
  /** A few rows of what is had elsewhere: not exported from here. @default false */
  isPreview?: boolean;
  /** Where the page ends; null for the last one. Left out: there is but this page. */
  next?: string | null;
}

/** A page of a list: ordered by a click on a title, exported, and turned by what the API gives as the place of its end. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { name, rows, columns, keyOf, actions, empty, next, isPreview = false } = props;
  const [search, setSearch] = useSearchParams();
  const [sortedBy, direction] = (search.get(`sort-${name}`) ?? '').split('.');
  const after = search.get('after');

  const column = columns.find(({ title }) => title === sortedBy);
  const shownRows = column ? sortRows(rows, column.value, direction === 'desc') : rows;

  if (rows.length === 0 && !after) return <>{empty}</>;
  const sort = (title: string, isNumber: boolean) => {
    const first = isNumber ? 'desc' : 'asc';
    const then = first === 'desc' ? 'asc' : 'desc';
    setSearch(
      (before) => {
        const params = new URLSearchParams(before);
        params.set(`sort-${name}`, `${title}.${title === sortedBy && direction === first ? then : first}`);
        return params;
      },
      { replace: true },
    );
  };
  const turn = (cursor: string | null) =>
    setSearch((before) => {
      const params = new URLSearchParams(before);
      if (cursor) params.set('after', cursor);
      else params.delete('after');
      return params;
    });

  return (
    <>
      {/* Scrolls by itself where it is wider than the screen, and so has to be reached with the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className="table-scroll" aria-label={`Table of ${name}`} tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              {columns.map(({ title, isNumber = false }) => (
                <th
                  key={title}
                  className={isNumber ? 'number' : ''}
                  aria-sort={title === sortedBy ? (direction === 'desc' ? 'descending' : 'ascending') : undefined}
                >
                  <button type="button" onClick={() => sort(title, isNumber)}>
                    {title}
                    {title === sortedBy && <Icon name={direction === 'desc' ? 'down' : 'up'} />}
                  </button>
                </th>
              ))}
              {actions && (
                <th>
                  <span className="visually-hidden">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {shownRows.map((row, position) => (
              // Rows of a log may be alike in all that is known of them.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <tr key={`${keyOf(row)} ${position}`}>
                {columns.map((column) => (
                  <td key={column.title} className={column.isNumber ? 'number' : ''}>
                    {column.show ? column.show(row) : column.value(row)}
                  </td>
                ))}
                {actions && <td className="number">{actions(row)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {!isPreview && (
        <footer className="table-foot">
          <button type="button" className="button button-small button-quiet" onClick={() => download(props)}>
            <Icon name="export" />
            CSV
          </button>
          {next !== undefined && (after || next) && (
            <span className="form-actions">
              <button type="button" className="button button-small" disabled={!after} onClick={() => turn(null)}>
                First page
              </button>
              <button type="button" className="button button-small" disabled={!next} onClick={() => turn(next)}>
                Next page
              </button>
            </span>
          )}
        </footer>
      )}
    </>
  );
}

function download<Row>({ name, rows, columns }: Pick<DataTableProps<Row>, 'name' | 'rows' | 'columns'>): void {
  const text = toCsv(
    columns.map(({ title }) => title),
    rows.map((row) => columns.map(({ value }) => value(row))),
  );
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}
