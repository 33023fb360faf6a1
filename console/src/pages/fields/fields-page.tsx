import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { ServicesDocument } from '../../generated/graphql.js';
import { Page } from '../../parts/page.js';
import { RangePicker } from '../../parts/range/range-picker.js';
import { useRange, withParam } from '../../parts/range/use-range.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { AllFields } from './all-fields.js';
import { MostSpent } from './most-spent.js';
import { ToMend } from './to-mend.js';

const TABS = { all: 'All fields', spent: 'Most spent', mend: 'Prices to mend' } as const;
type Tab = keyof typeof TABS;

/**
 * Shows the page of the fields of the schema: prices and their sources, rules, actual costs, and
 * prices to correct.
 */
export function FieldsPage() {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('tab') ?? '';
  const tab = Object.hasOwn(TABS, asked) ? (asked as Tab) : 'all';
  const range = useRange('24h');
  const services = useAdmin(ServicesDocument, {}).data?.services ?? [];
  const service = search.get('service') ?? services[0]?.name ?? null;
  return (
    <Page
      title="Fields"
      lead="What each field of the schema costs and why, and what it came to."
      actions={tab !== 'all' && <RangePicker range={range} presets={['1h', '24h', '7d', '30d', '90d']} />}
    >
      <nav className="tabs" aria-label="Views">
        {Object.entries(TABS).map(([name, title]) => (
          <Link
            key={name}
            href={`/fields${name === 'all' ? '' : `?tab=${name}`}`}
            aria-current={name === tab ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      {services.length > 1 && tab !== 'spent' && (
        <search className="filters">
          <select
            className="select"
            aria-label="API"
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
      {tab === 'spent' && <MostSpent range={range} />}
      {tab === 'mend' && <ToMend range={range} service={service} />}
    </Page>
  );
}
