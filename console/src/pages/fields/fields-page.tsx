import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { ServicesDocument } from '../../generated/graphql.js';
import { Page } from '../../parts/page.js';
import { RangePicker } from '../../parts/range/range-picker.js';
import { useRange, withParam } from '../../parts/range/use-range.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { fieldsText } from '../../text/fields-text.js';
import { AllFields } from './all-fields.js';
import { FieldCosts } from './field-costs.js';
import { InaccuratePrices } from './inaccurate-prices.js';

const { tabs } = fieldsText;
type Tab = keyof typeof tabs;

/**
 * Shows the page of the fields of the schema: prices and their sources, rules, actual costs, and
 * prices to correct.
 */
export function FieldsPage() {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('tab') ?? '';
  const tab = Object.hasOwn(tabs, asked) ? (asked as Tab) : 'all';
  const range = useRange('24h');
  const services = useAdmin(ServicesDocument, {}).data?.services ?? [];
  const service = search.get('service') ?? services[0]?.name ?? null;
  return (
    <Page
      title={fieldsText.title}
      lead={fieldsText.lead}
      actions={tab !== 'all' && <RangePicker range={range} presets={['1h', '24h', '7d', '30d', '90d']} />}
    >
      <nav className="tabs" aria-label={fieldsText.views}>
        {Object.entries(tabs).map(([name, title]) => (
          <Link
            key={name}
            href={`/fields${name === 'all' ? '' : `?tab=${name}`}`}
            aria-current={name === tab ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      {services.length > 1 && tab !== 'costs' && (
        <search className="filters">
          <select
            className="select"
            aria-label={fieldsText.api}
            value={service ?? ''}
            onChange={(event) => setSearch((before) => withParam(before, 'service', event.target.value))}
          >
            {services.map(({ name }) => (
              <option key={name} value={name}>
                {visibleText(name)}
              </option>
            ))}
          </select>
        </search>
      )}
      {tab === 'all' && <AllFields service={service} />}
      {tab === 'costs' && <FieldCosts range={range} />}
      {tab === 'inaccurate' && <InaccuratePrices range={range} service={service} />}
    </Page>
  );
}
