import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { type RuleFilter, type RuleSource, RulesDocument, type RulesQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { FilterField } from '../../parts/form/filter-field.js';
import { Page } from '../../parts/page.js';
import { rangeInput, readRange } from '../../parts/range/shown-range.js';
import { useRange, withParam } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { commonText } from '../../text/common-text.js';
import { rulesText } from '../../text/rules-text.js';
import { limitInputOf } from './draft-of-rule.js';
import { limitsText } from './limit-text.js';
import { ModePill } from './mode-pill.js';

const { list } = rulesText;
const { column, filter: label } = commonText;
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
  const { toMs } = useRange('24h');
  const day = rangeInput(readRange('24h', toMs - 1));
  const query = useAdmin(RulesDocument, { filter, day, after: search.get('after') });
  return (
    <Page
      title={list.title}
      lead={list.lead}
      actions={
        mayChange && (
          <Link className="button button-primary" href="/rule-form">
            {list.create}
          </Link>
        )
      }
    >
      <search className="filters">
        <FilterField name="name" label={list.name} />
        <FilterField name="field" label={label.field} />
        <select
          className="select"
          aria-label={list.mode}
          value={mode ?? ''}
          onChange={(event) => setSearch((before) => withParam(before, 'mode', event.target.value))}
        >
          <option value="">{list.anyMode}</option>
          {MODES.map((one) => (
            <option key={one} value={one}>
              {rulesText.modes[one]}
            </option>
          ))}
        </select>
        <select
          className="select"
          aria-label={label.state}
          value={`${retired}`}
          onChange={(event) =>
            setSearch((before) => withParam(before, 'retired', event.target.value === 'true' ? 'true' : null))
          }
        >
          <option value="false">{label.active}</option>
          <option value="true">{label.retired}</option>
        </select>
      </search>
      <Card title={retired ? label.retired : label.active}>
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
                  <Empty title={list.noRetired}>{list.noRetiredHint}</Empty>
                ) : (
                  <Empty title={list.empty} command={mayChange ? 'tollgate rules apply policy.yaml' : undefined}>
                    {name || field || mode ? list.noMatchHint : mayChange ? list.emptyHint : list.emptyHintViewer}
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
  if (source === 'STORED') return list.console;
  return service ? <Name>{list.codeOf(service)}</Name> : list.code;
}

type ListedRule = RulesQuery['rules']['nodes'][number];

function limitOf({ limits, ...rule }: ListedRule): string {
  return limitsText(limits.map(limitInputOf), rule);
}

const COLUMNS: Column<ListedRule>[] = [
  {
    title: column.rule,
    value: ({ name }) => name,
    show: ({ id, name, retiredAt }) => (
      <Link href={`/rule?${new URLSearchParams(retiredAt ? { id } : { name })}`}>
        <Name>{name}</Name>
      </Link>
    ),
  },
  {
    title: column.mode,
    value: ({ mode }) => mode,
    show: ({ mode, rolloutPercent, neverApplies, appliesNow }) => (
      <>
        <ModePill mode={mode} percent={rolloutPercent} />{' '}
        {neverApplies ? (
          <span className="pill pill-warn">{list.neverApplies}</span>
        ) : (
          !appliesNow && <span className="pill">{rulesText.times.notNow}</span>
        )}
      </>
    ),
  },
  { title: column.field, value: ({ field }) => field, show: ({ field }) => <Name mono>{field}</Name> },
  { title: column.limit, value: limitOf },
  { title: list.denied, value: ({ denied }) => denied, show: ({ denied }) => whole(denied), isNumber: true },
  {
    title: list.shadowDenied,
    value: ({ shadowDenied }) => shadowDenied,
    show: ({ shadowDenied }) => whole(shadowDenied),
    isNumber: true,
  },
  {
    title: column.source,
    value: ({ source, service }) => (service ? list.codeOf(service) : source),
    show: ({ source, service }) => <RuleSourceText source={source} service={service ?? null} />,
  },
];
