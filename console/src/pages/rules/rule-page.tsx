import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { RuleInFullDocument } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { CopyButton } from '../../parts/feedback/copy-button.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { Page } from '../../parts/page.js';
import { rangeInput, readRange } from '../../parts/range/shown-range.js';
import { useRange } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { draftOfRule, type FullRule } from './draft-of-rule.js';
import { limitText } from './limit-text.js';
import { ModePill } from './mode-pill.js';
import { RuleActions } from './rule-actions.js';
import { RuleMode } from './rule-mode.js';
import { ruleAsMutation, ruleAsYaml } from './versions/rule-as-text.js';
import { RuleVersions } from './versions/rule-versions.js';

/**
 * Shows the page of one rule: its limits, its effects on the last day, its history, and its mode
 * with a simulation.
 */
export function RulePage() {
  const [search] = useSearchParams();
  // A retired rule is found by its id, because another rule may have its name.
  const [id, asked, after] = [search.get('id'), search.get('name'), search.get('after')];
  const mayChange = useMay()('ADMIN');
  const { toMs } = useRange('24h');
  const day = rangeInput(readRange('24h', toMs - 1));
  const about = JSON.stringify([id, asked]);
  const query = useAdmin(
    RuleInFullDocument,
    { id, name: asked, day, after },
    { enabled: (id ?? asked) !== null, about },
  );
  if ((id ?? asked) === null) return <Empty title="No rule is named in the address" />;
  return (
    <Page
      title={<Name>{asked ?? query.data?.rule?.name ?? 'Rule'}</Name>}
      lead={query.data?.rule?.description && visibleText(query.data.rule.description, 500)}
      actions={mayChange && query.data?.rule?.source === 'STORED' && <RuleActions key={about} rule={query.data.rule} />}
    >
      <Load query={query} rows={8}>
        {({ rule }) => (rule ? <Filled key={rule.id} rule={rule} /> : <NotFound />)}
      </Load>
    </Page>
  );
}

function NotFound() {
  return (
    <Empty title="No rule in use has this name">
      It may have been taken out of use: <Link href="/rules?retired=true">those out of use</Link>.
    </Empty>
  );
}

function Filled({ rule }: { rule: FullRule }) {
  return (
    <div className="page-parts">
      <div className="columns">
        <Card
          title="What it limits"
          aside={
            rule.retiredAt ? (
              <span className="pill">out of use</span>
            ) : (
              <ModePill mode={rule.mode} percent={rule.rolloutPercent} />
            )
          }
        >
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
            <dd>
              {rule.source === 'STORED'
                ? `in the database, version ${rule.version}`
                : `in the code of ${rule.service ? visibleText(rule.service) : 'a server'}`}
            </dd>
          </dl>
          <div className="form-actions card-body">
            <CopyButton label="Copy as mutation" text={() => ruleAsMutation(draftOfRule(rule))} isWide />
            <CopyButton label="Copy as YAML" text={() => ruleAsYaml(draftOfRule(rule))} isWide />
          </div>
        </Card>
        {rule.source === 'STORED' && !rule.retiredAt && <RuleMode rule={rule} />}
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
      {rule.source === 'STORED' && <RuleVersions rule={rule} />}
    </div>
  );
}

const MET: Column<FullRule['violations']['nodes'][number]>[] = [
  { title: 'Caller', value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  { title: 'Denied', value: ({ denied }) => denied, show: ({ denied }) => whole(denied), isNumber: true },
  { title: 'In shadow', value: (row) => row.shadowDenied, show: (row) => whole(row.shadowDenied), isNumber: true },
];
