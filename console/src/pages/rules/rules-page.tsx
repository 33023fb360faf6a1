import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { type RuleFilter, type RuleSource, RulesDocument, type RulesQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { FilterField } from '../../parts/form/filter-field.js';
import { Page } from '../../parts/page.js';
import { withParam } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { Name } from '../../parts/text/name.js';
import { ModePill } from './mode-pill.js';

const MODES = ['ENFORCE', 'SHADOW', 'OFF'] as const;

/** Shows the page of the rules, in use or retired. */
export function RulesPage() {
  const [search, setSearch] = useSearchParams();
  const mayChange = useMay()('ADMIN');
  const retired = search.get('retired') === 'true';
  const filter: RuleFilter = { retired };
  const [name, field] = [search.get('name'), search.get('field')];
  const mode = MODES.find((one) => one === search.get('mode'));
  if (name) filter.nameContains = name;
  if (field) filter.field = field;
  if (mode) filter.mode = mode;
  const query = useAdmin(RulesDocument, { filter, after: search.get('after') });
  return (
    <Page
      title="Rules"
      lead="Limits beside those of the tiers: for fields, operations, tenants, addresses."
      actions={
        mayChange && (
          <Link className="button button-primary" href="/rule-form">
            New rule
          </Link>
        )
      }
    >
      <search className="filters">
        <FilterField name="name" label="Part of the name" />
        <FilterField name="field" label="Field, such as Query.search" />
        <select
          className="select"
          aria-label="Mode"
          value={mode ?? ''}
          onChange={(event) => setSearch((before) => withParam(before, 'mode', event.target.value))}
        >
          <option value="">Any mode</option>
          {MODES.map((one) => (
            <option key={one} value={one}>
              {one.toLowerCase()}
            </option>
          ))}
        </select>
        <select
          className="select"
          aria-label="State"
          value={`${retired}`}
          onChange={(event) =>
            setSearch((before) => withParam(before, 'retired', event.target.value === 'true' ? 'true' : null))
          }
        >
          <option value="false">In use</option>
          <option value="true">Out of use</option>
        </select>
      </search>
      <Card title={retired ? 'Out of use' : 'In use'}>
        <Load query={query} rows={6}>
          {({ rules }) => (
            <DataTable
              name="rules"
              rows={rules.nodes}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              next={rules.pageInfo.hasNextPage ? (rules.pageInfo.endCursor ?? null) : null}
              empty={
                retired ? (
                  <Empty title="No rule was taken out of use" />
                ) : (
                  <Empty title="No rule" command={mayChange ? 'tollgate rules apply policy.yaml' : undefined}>
                    Only the tiers limit callers, or no rule meets these conditions.
                  </Empty>
                )
              }
            />
          )}
        </Load>
      </Card>
    </Page>
  );
}

function RuleSourceText({ source, service }: { source: RuleSource; service: string | null }) {
  if (source === 'STORED') return 'here';
  return service ? (
    <>
      code of <Name>{service}</Name>
    </>
  ) : (
    'code'
  );
}

const COLUMNS: Column<RulesQuery['rules']['nodes'][number]>[] = [
  {
    title: 'Rule',
    value: ({ name }) => name,
    show: ({ id, name, retiredAt }) => (
      <Link href={`/rule?${new URLSearchParams(retiredAt ? { id } : { name })}`}>
        <Name>{name}</Name>
      </Link>
    ),
  },
  {
    title: 'Mode',
    value: ({ mode }) => mode,
    show: ({ mode, rolloutPercent }) => <ModePill mode={mode} percent={rolloutPercent} />,
  },
  { title: 'Field', value: ({ field }) => field, show: ({ field }) => <Name mono>{field}</Name> },
  { title: 'Counted by', value: ({ scope }) => scope, show: ({ scope }) => scope.toLowerCase().replace('_', ' ') },
  { title: 'Counts', value: ({ measure }) => measure, show: ({ measure }) => measure.toLowerCase().replace('_', ' ') },
  {
    title: 'From',
    value: ({ source, service }) => (service ? `code of ${service}` : source),
    show: ({ source, service }) => <RuleSourceText source={source} service={service ?? null} />,
  },
];
