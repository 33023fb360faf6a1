import { useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { RuleInFullDocument } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { Page } from '../../parts/page.js';
import { rangeInput, readRange } from '../../parts/range/shown-range.js';
import { useRange } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { Differences } from '../../parts/text/differences.js';
import { whole } from '../../parts/text/format.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import type { FullRule } from './draft-of-rule.js';
import { limitText } from './limit-text.js';
import { ModePill } from './mode-pill.js';
import { RuleActions } from './rule-actions.js';
import { RuleMode } from './rule-mode.js';

/** One rule: what it limits, what it did on the last day, how it came to be so; and its mode, tried before it is set. */
export function RulePage() {
  const [search] = useSearchParams();
  const name = search.get('name') ?? '';
  const mayChange = useMay()('ADMIN');
  const { toMs } = useRange('24h');
  const day = rangeInput(readRange('24h', toMs - 1));
  const query = useAdmin(RuleInFullDocument, { name, day }, { enabled: name !== '' });
  if (name === '') return <Empty title="No rule is named in the address" />;
  return (
    <Page
      title={<Name>{name}</Name>}
      lead={query.data?.rule?.description && visibleText(query.data.rule.description, 500)}
      actions={mayChange && query.data?.rule?.source === 'STORED' && <RuleActions rule={query.data.rule} />}
    >
      <Load query={query} rows={8}>
        {({ rule }) =>
          rule ? <Filled key={rule.id} rule={rule} day={day} /> : <Empty title="No rule has this name" />
        }
      </Load>
    </Page>
  );
}

function Filled({ rule, day }: { rule: FullRule; day: { from: string; to: string } }) {
  return (
    <div className="page-parts">
      <div className="columns">
        <Card title="What it limits" aside={<ModePill mode={rule.mode} percent={rule.rolloutPercent} />}>
          <dl className="facts">
            <dt>Field</dt>
            <dd className="mono">{visibleText(rule.field)}</dd>
            <dt>Counted by</dt>
            <dd>{rule.scope.toLowerCase().replace('_', ' ')}</dd>
            <dt>Counts</dt>
            <dd>{rule.measure.toLowerCase().replace('_', ' ')}</dd>
            <dt>Limits</dt>
            <dd>
              {rule.limits.map((limit) => (
                <p key={JSON.stringify(limit)}>{limitText(limit)}</p>
              ))}
              {rule.limits.length === 0 && 'none: it exempts'}
            </dd>
            <dt>Without Redis</dt>
            <dd>{rule.onUnavailable.toLowerCase()}</dd>
            <dt>Defined</dt>
            <dd>{rule.source === 'CODE' ? 'in the code of a server' : 'in the database'}</dd>
          </dl>
        </Card>
        {rule.source === 'STORED' && !rule.retiredAt && <RuleMode rule={rule} day={day} />}
      </div>
      <Card title="Whom it met on the last day" aside={`${whole(rule.shadowDenied)} would have been denied in shadow`}>
        <DataTable
          name="violations"
          rows={rule.violations.nodes}
          columns={MET}
          keyOf={({ caller }) => `${caller.kind} ${caller.name} ${caller.tenant}`}
          empty={<Empty title="Nobody" />}
        />
      </Card>
      <Card title="History">
        <DataTable
          name="history"
          rows={rule.history.nodes}
          columns={HISTORY}
          keyOf={({ id }) => id}
          empty={<Empty title="Nothing is on record" />}
        />
      </Card>
    </div>
  );
}

const MET: Column<FullRule['violations']['nodes'][number]>[] = [
  { title: 'Caller', value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  { title: 'Denied', value: ({ denied }) => denied, show: ({ denied }) => whole(denied), isNumber: true },
  { title: 'In shadow', value: (row) => row.shadowDenied, show: (row) => whole(row.shadowDenied), isNumber: true },
];

const HISTORY: Column<FullRule['history']['nodes'][number]>[] = [
  { title: 'When', value: ({ changedAt }) => changedAt, show: ({ changedAt }) => <Moment at={changedAt} /> },
  { title: 'Who', value: ({ actor }) => actor, show: ({ actor }) => <Name>{actor}</Name> },
  { title: 'What', value: ({ action }) => action, show: ({ action }) => action.toLowerCase() },
  {
    title: 'Differences',
    value: ({ differences }) => differences.map(({ path }) => path).join(' '),
    show: ({ differences, action }) => (action === 'CREATE' ? '–' : <Differences differences={differences} />),
  },
];
