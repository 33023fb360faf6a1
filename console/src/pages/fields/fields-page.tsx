import { Link, useSearchParams } from 'wouter';
import { useApis } from '../../api/use-apis.js';
import { ApiChoice } from '../../parts/api-choice.js';
import { Page } from '../../parts/page.js';
import { RangePicker } from '../../parts/range/range-picker.js';
import { useRange } from '../../parts/range/use-range.js';
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
  const [search] = useSearchParams();
  const asked = search.get('tab') ?? '';
  const tab = Object.hasOwn(tabs, asked) ? (asked as Tab) : 'all';
  const range = useRange('24h');
  const apis = useApis();
  const { service } = apis;
  return (
    <Page
      title={fieldsText.title}
      lead={fieldsText.lead}
      actions={
        <>
          {tab !== 'costs' && <ApiChoice {...apis} />}
          {tab !== 'all' && <RangePicker range={range} presets={['1h', '24h', '7d', '30d', '90d']} />}
        </>
      }
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
      {tab === 'all' && <AllFields service={service} />}
      {tab === 'costs' && <FieldCosts range={range} />}
      {tab === 'inaccurate' && <InaccuratePrices range={range} service={service} />}
    </Page>
  );
}
