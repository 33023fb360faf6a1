import { Link } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { SharedAddressesDocument, type SharedAddressesQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { callersText } from '../../text/callers-text.js';
import { exemptionPath } from '../rules/exemption-path.js';

const { addresses: text } = callersText;

type SharedAddress = SharedAddressesQuery['addresses']['addresses'][number];

/**
 * Shows the addresses that many users share, with links to the rules that exempt them. Shows
 * nothing if there are none, or if this process does not count them.
 */
export function SharedAddresses() {
  const mayChange = useMay()('ADMIN');
  const { data } = useAdmin(SharedAddressesDocument, {}, { everyMs: 60_000 });
  const rows = data?.addresses.addresses ?? [];
  if (rows.length === 0) return null;
  return (
    <Card title={text.title} aside={<span>{text.hint}</span>}>
      <DataTable
        name="addresses"
        rows={rows}
        columns={mayChange ? [...COLUMNS, EXEMPTIONS] : COLUMNS}
        keyOf={({ address }) => address}
        empty={null}
      />
    </Card>
  );
}

const COLUMNS: Column<SharedAddress>[] = [
  {
    title: text.address,
    value: ({ address }) => address,
    show: ({ address }) => (
      <Link href={`/caller?${new URLSearchParams({ ip: address })}`}>
        <Name mono>{address}</Name>
      </Link>
    ),
  },
  {
    title: text.users,
    value: ({ users }) => users,
    show: ({ users, isEstimate }) => (isEstimate ? text.about(whole(users)) : whole(users)),
    isNumber: true,
  },
];

const EXEMPTIONS: Column<SharedAddress> = {
  title: text.exemptions,
  value: ({ exemptions }) => exemptions.length,
  show: ({ address, exemptions }) =>
    exemptions.length === 0 ? (
      <span className="muted">{text.notLimited}</span>
    ) : (
      exemptions.map((exemption) => (
        <span key={`${exemption.field} ${exemption.measure}`}>
          <Link href={exemptionPath(address, exemption)}>{text.exempt(exemption.field, exemption.measure)}</Link>{' '}
        </span>
      ))
    ),
};
