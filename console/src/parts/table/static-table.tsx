import type { ReactNode } from 'react';
import { TableFrame } from './table-frame.js';

export interface StaticColumn<Row> {
  title: string;
  isNumber?: boolean;
  /** Class of the cells and of the title. */
  className?: string;
  show(row: Row): ReactNode;
}

interface StaticTableProps<Row> {
  /** Name of the table for screen readers. */
  label: string;
  rows: readonly Row[];
  columns: readonly StaticColumn<Row>[];
  keyOf(row: Row): string;
  /**
   * Returns the content of one wide cell that replaces all cells of a row except the first.
   * Undefined: the row has all cells.
   */
  restOf?: (row: Row) => ReactNode;
  className?: string;
}

/**
 * Shows a short table without sorting and pages. On phones, its rows are cards as in `DataTable`.
 */
export function StaticTable<Row>({ label, rows, columns, keyOf, restOf, className = '' }: StaticTableProps<Row>) {
  const classOf = ({ isNumber, className: own = '' }: StaticColumn<Row>) => `${isNumber ? 'number ' : ''}${own}`.trim();
  return (
    <TableFrame
      label={label}
      className={`table-static ${className}`}
      head={columns.map((column) => (
        // biome-ignore lint/a11y/noRedundantRoles: see `TableFrame`
        <th key={column.title} role="columnheader" scope="col" className={classOf(column)}>
          {column.title}
        </th>
      ))}
    >
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see `TableFrame` */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: see `TableFrame` */}
      {rows.map((row) => {
        const rest = restOf?.(row);
        return (
          <tr key={keyOf(row)} role="row">
            {(rest === undefined ? columns : columns.slice(0, 1)).map((column) => (
              <td key={column.title} role="cell" data-title={column.title} className={classOf(column)}>
                {column.show(row)}
              </td>
            ))}
            {rest !== undefined && (
              <td role="cell" className="number" colSpan={columns.length - 1}>
                {rest}
              </td>
            )}
          </tr>
        );
      })}
      {/* biome-ignore-end lint/a11y/useSemanticElements: see `TableFrame` */}
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see `TableFrame` */}
    </TableFrame>
  );
}
