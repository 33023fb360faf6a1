import { createElement as h, type ReactElement } from 'react';
import type { Price } from './create-pricer.js';

/**
 * A tier with its token bucket. The bucket gains `refillAmount` tokens per `refillPeriodMs`
 * milliseconds, up to `capacity` tokens. The three members are null for a tier without a bucket.
 */
export interface PayingTier {
  name: string;
  capacity: number | null;
  refillAmount: number | null;
  refillPeriodMs: number | null;
  /** Maximum cost of one operation, in tokens. @default the capacity */
  maxCostPerOperation?: number | null;
}

const MOST_FIELDS = 100;

interface PriceViewOptions {
  price: Price | undefined;
  tiers: readonly PayingTier[];
  /** Reason why there are no tiers. */
  problem?: string;
}

/**
 * Shows the price of an operation: its total, a bar for each field, and how often each tier can
 * afford it.
 */
export function PriceView({ price, tiers, problem }: PriceViewOptions): ReactElement {
  const title = h('div', { className: 'graphiql-doc-explorer-title' }, 'Cost');
  if (price === undefined) return h('section', null, title, h('p', null, 'Write an operation to see its price.'));
  if ('problem' in price) return h('section', null, title, h('p', { role: 'alert' }, price.problem));
  return h(
    'section',
    { 'aria-live': 'polite' },
    title,
    h('p', null, h('strong', { 'data-testid': 'tollgate-cost' }, whole(price.total)), ' tokens at most'),
    price.fields.length > 0
      ? fieldsOf(price)
      : price.total > 0 && h('p', null, 'No costs of fields: mayReportCost does not allow them for this caller.'),
    tiers.length > 0 && tiersOf(tiers, price.total),
    problem !== undefined && h('p', { role: 'alert' }, problem),
  );
}

function fieldsOf({ total, fields }: Extract<Price, { total: number }>): ReactElement {
  const shown = fields.slice(0, MOST_FIELDS);
  const most = Math.max(1, ...shown.map(({ cost }) => cost));
  const rows = shown.map(({ coordinate, calls, cost }) => {
    const share = total === 0 ? 0 : Math.round((100 * cost) / total);
    const label = `${coordinate}: ${share} % of the cost`;
    return row(coordinate, [
      cell(coordinate),
      numberCell('calls', whole(calls)),
      numberCell('cost', whole(cost)),
      h('td', { key: 'bar' }, h('progress', { max: most, value: cost, 'aria-label': label, style: { width: '6em' } })),
    ]);
  });
  const more = fields.length - shown.length;
  return h(
    'div',
    { style: { overflowX: 'auto' } },
    table(['Field', 'Calls', 'Tokens', 'Share'], rows),
    more > 0 && h('p', null, `and ${more} less expensive fields`),
  );
}

function tiersOf(tiers: readonly PayingTier[], total: number): ReactElement {
  const rows = tiers.map(({ name, capacity, refillAmount, refillPeriodMs, maxCostPerOperation }) => {
    const most = Math.min(capacity ?? Number.POSITIVE_INFINITY, maxCostPerOperation ?? Number.POSITIVE_INFINITY);
    if (total > most)
      return row(name, [
        cell(name),
        h('td', { key: 'no', colSpan: 2 }, `too expensive: the maximum is ${whole(most)} tokens`),
      ]);
    if (total === 0 || capacity === null || refillAmount === null || refillPeriodMs === null)
      return row(name, [cell(name), h('td', { key: 'free', colSpan: 2 }, 'any number')]);
    const everyMinute = (refillAmount * 60_000) / refillPeriodMs / total;
    return row(name, [
      cell(name),
      numberCell('at once', whole(Math.floor(capacity / total))),
      numberCell('a minute', everyMinute < 10 ? everyMinute.toFixed(1) : whole(Math.floor(everyMinute))),
    ]);
  });
  return h('div', { style: { overflowX: 'auto' } }, table(['Tier', 'In a burst', 'Per minute'], rows));
}

function table(heads: readonly string[], rows: readonly ReactElement[]): ReactElement {
  const titles = heads.map((text) =>
    h('th', { key: text, scope: 'col', style: { textAlign: 'left', padding: '2px 8px 2px 0' } }, text),
  );
  return h(
    'table',
    { style: { borderCollapse: 'collapse', margin: '12px 0' } },
    h('thead', null, h('tr', null, titles)),
    h('tbody', null, rows),
  );
}

function row(key: string, cells: readonly ReactElement[]): ReactElement {
  return h('tr', { key }, cells);
}

function cell(text: string): ReactElement {
  return h('td', { key: text, style: { padding: '2px 8px 2px 0' } }, text);
}

function numberCell(column: string, text: string): ReactElement {
  return h('td', { key: column, style: { textAlign: 'right', padding: '2px 8px 2px 0' } }, text);
}

function whole(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
