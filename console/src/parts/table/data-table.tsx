import { Fragment, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { commonText } from '../../text/common-text.js';
import { Icon } from '../text/icon.js';
import { type CsvValue, toCsv } from './csv.js';
import { sortRows } from './sort-rows.js';
import { TableFrame } from './table-frame.js';

export interface Column<Row> {
  title: string;
  /** Returns the value for sorting and for the export of the table. */
  value(row: Row): CsvValue;
  /** Renders the cell. @default the value */
  show?(row: Row): ReactNode;
  isNumber?: boolean;
}

export interface DataTableProps<Row> {
  /** Name of the table for screen readers, for its file, and for its query parameter. */
  name: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf(row: Row): string;
  /** Returns the group of a row. Each group has a title, unless a column sorts the rows. */
  groupOf?: (row: Row) => string;
  /** Renders the buttons of a row. */
  actions?: (row: Row) => ReactNode;
  empty: ReactNode;
  /** Receives the row that the user clicks. `actions` must have a button that does the same. */
  onRow?: (row: Row) => void;
  /** Returns whether the row is marked as selected. */
  isSelected?: (row: Row) => boolean;
  /** Whether the rows are a preview that cannot be exported. @default false */
  isPreview?: boolean;
  /**
   * Cursor of the next page. Null: this is the last page. Undefined: the list has only one page.
   */
  next?: string | null;
}

/**
 * Shows a page of a list. A click on the title of a column sorts the rows, a button exports them,
 * and cursors of the API select the page.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { name, rows, columns, keyOf, actions, empty, onRow, isSelected, next, groupOf, isPreview = false } = props;
  const [search, setSearch] = useSearchParams();
  const [sortedBy, direction] = (search.get(`sort-${name}`) ?? '').split('.');
  const after = search.get('after');

  const column = columns.find(({ title }) => title === sortedBy);
  const shownRows = column ? sortRows(rows, column.value, direction === 'desc') : rows;

  /** Returns the title above a row; undefined within a group. */
  const groupAt = (position: number): string | undefined => {
    if (groupOf === undefined || column !== undefined) return undefined;
    const group = groupOf(shownRows[position]!);
    return position > 0 && groupOf(shownRows[position - 1]!) === group ? undefined : group;
  };

  const keys = keysOf(shownRows, keyOf);

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
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see `TableFrame` */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: see `TableFrame` */}
      <TableFrame
        label={commonText.table.label(name.replaceAll('-', ' '))}
        headTitle={commonText.table.sortBy}
        head={
          <>
            {columns.map(({ title, isNumber = false }) => (
              <th
                key={title}
                role="columnheader"
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
              <th role="columnheader" className="head-actions">
                <span className="visually-hidden">{commonText.column.actions}</span>
              </th>
            )}
          </>
        }
      >
        {shownRows.map((row, position) => (
          <Fragment key={keys[position]}>
            {groupAt(position) !== undefined && (
              <tr role="row" className="table-group">
                <th role="columnheader" scope="colgroup" colSpan={columns.length + (actions ? 1 : 0)}>
                  {groupAt(position)}
                </th>
              </tr>
            )}
            <tr
              role="row"
              data-clickable={onRow !== undefined || undefined}
              data-selected={isSelected?.(row) || undefined}
              onClick={onRow && ((event) => !isOfControl(event.target) && onRow(row))}
            >
              {columns.map((column) => (
                // Cards show the title of the column next to the value.
                <td
                  key={column.title}
                  role="cell"
                  data-title={column.title}
                  className={column.isNumber ? 'number' : ''}
                >
                  {column.show ? column.show(row) : column.value(row)}
                </td>
              ))}
              {actions && (
                <td role="cell" className="number cell-actions">
                  {actions(row)}
                </td>
              )}
            </tr>
          </Fragment>
        ))}
      </TableFrame>
      {/* biome-ignore-end lint/a11y/useSemanticElements: see `TableFrame` */}
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see `TableFrame` */}
      {!isPreview && (
        <footer className="table-foot">
          <button type="button" className="button button-small button-quiet" onClick={() => download(props)}>
            <Icon name="export" />
            {commonText.table.exportCsv}
          </button>
          {next !== undefined && (after || next) && (
            <span className="form-actions">
              <button type="button" className="button button-small" disabled={!after} onClick={() => turn(null)}>
                {commonText.table.firstPage}
              </button>
              <button type="button" className="button button-small" disabled={!next} onClick={() => turn(next)}>
                {commonText.table.nextPage}
              </button>
            </span>
          )}
        </footer>
      )}
    </>
  );
}

/**
 * Returns a unique key for each row. Rows of a log may be identical in all visible values, so the key
 * of a later one contains a number. A key does not contain the position, so that a row keeps the
 * focus when a row above it disappears.
 */
function keysOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string): string[] {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const key = keyOf(row);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return `${key} ${count}`;
  });
}

/**
 * Returns whether a click hit a link or a button. Such a click does not count as one on the row.
 */
function isOfControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button') !== null;
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
