import { commonText } from '../../text/common-text.js';
import { percent, short } from '../text/format.js';
import type { Column } from './data-table.js';

interface Usage {
  actualCost: number;
  share: number;
  requests: number;
}

const { column } = commonText;

/** Columns of a table that ranks rows by their usage. */
export const USAGE_COLUMNS: readonly Column<Usage>[] = [
  {
    title: column.tokens,
    value: ({ actualCost }) => actualCost,
    show: ({ actualCost }) => short(actualCost),
    isNumber: true,
  },
  { title: column.share, value: ({ share }) => share, show: ({ share }) => percent(share), isNumber: true },
  {
    title: column.requests,
    value: ({ requests }) => requests,
    show: ({ requests }) => short(requests),
    isNumber: true,
  },
];

export const DENIED_COLUMN: Column<{ denied: number }> = {
  title: column.denied,
  value: ({ denied }) => denied,
  show: ({ denied }) => short(denied),
  isNumber: true,
};
