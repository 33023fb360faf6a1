import { useSearchParams } from 'wouter';
import { commonText } from '../../text/common-text.js';
import { withParam } from '../range/use-range.js';

/** Available orders of the rows, each with its title. */
type Orders<Order extends string> = Readonly<Record<Order, string>>;

/** Returns the order of a table from the URL: `?by=REQUESTS`. */
export function useOrder<Order extends string>(orders: Orders<Order>, otherwise: Order): Order {
  const [search] = useSearchParams();
  const asked = search.get('by') ?? '';
  return Object.hasOwn(orders, asked) ? (asked as Order) : otherwise;
}

export function OrderSelect<Order extends string>({ orders, value }: { orders: Orders<Order>; value: Order }) {
  const [, setSearch] = useSearchParams();
  return (
    <select
      className="select"
      aria-label={commonText.order.label}
      value={value}
      onChange={(event) => setSearch((before) => withParam(before, 'by', event.target.value))}
    >
      {Object.entries<string>(orders).map(([order, title]) => (
        <option key={order} value={order}>
          {title}
        </option>
      ))}
    </select>
  );
}
