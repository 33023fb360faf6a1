import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { RuleInFullDocument } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { CopyButton } from '../../parts/feedback/copy-button.js';
import { Empty } from '../../parts/feedback/empty.js';
import { EmptyPage } from '../../parts/feedback/empty-page.js';
import { Load } from '../../parts/feedback/load.js';
import { WarningNotice } from '../../parts/feedback/warning-notice.js';
import { Page } from '../../parts/page.js';
import { rangeInput, readRange } from '../../parts/range/shown-range.js';
import { useRange } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { whole } from '../../parts/text/format.js';
import { fullMoment } from '../../parts/text/moments.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { rulesText } from '../../text/rules-text.js';
import { shellText } from '../../text/shell-text.js';
import { draftOfRule, type FullRule, limitInputOf } from './draft-of-rule.js';
import { limitsText } from './limit-text.js';
import { documentWords, matchWords } from './match-words.js';
import { ModePill } from './mode-pill.js';
import { RuleActions } from './rule-actions.js';
import { RuleMode } from './rule-mode.js';
import { timesText } from './times-text.js';
import { ruleAsMutation, ruleAsYaml } from './versions/rule-as-text.js';
import { RuleVersions } from './versions/rule-versions.js';

const { list, page: text } = rulesText;
const { column } = commonText;

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
  if ((id ?? asked) === null) {
    return (
      <EmptyPage title={text.unnamed} href="/rules" link={shellText.goTo(shellText.pages.rules)}>
        {text.unnamedHint}
      </EmptyPage>
    );
  }
  return (
    <Page
      title={<Name>{asked ?? query.data?.rule?.name ?? text.rule}</Name>}
      // A line that appears only with the data would move the page.
      lead={query.data?.rule?.description ? visibleText(query.data.rule.description, 500) : text.rule}
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
    <Empty title={text.notFound}>
      {text.notFoundHint} <Link href="/rules?retired=true">{text.showRetired}</Link>
    </Empty>
  );
}

/** Describes whether the rule applies now, and when this changes. */
function nowText({ appliesNow, nextChangeAt }: FullRule): string {
  const state = appliesNow ? rulesText.times.now : rulesText.times.notNow;
  return nextChangeAt ? rulesText.times.changes(state, fullMoment(nextChangeAt)) : state;
}

function Filled({ rule }: { rule: FullRule }) {
  const conditions = matchWords(rule.match);
  const documents = documentWords(rule.match);
  const times = timesText(draftOfRule(rule));
  return (
    <div className="page-parts">
      <WarningNotice messages={rule.warnings} />
      <div className="columns">
        <Card
          title={text.title}
          aside={
            rule.retiredAt ? (
              <span className="pill">{text.retired}</span>
            ) : (
              <ModePill mode={rule.mode} percent={rule.rolloutPercent} />
            )
          }
        >
          <dl className="facts">
            <dt>{text.field}</dt>
            <dd className="mono">{visibleText(rule.field)}</dd>
            <dt>{rulesText.scope}</dt>
            <dd>{rulesText.scopes[rule.scope]}</dd>
            {conditions.length > 0 && (
              <>
                <dt>{rulesText.callers.title}</dt>
                <dd>{conditions.join('; ')}</dd>
              </>
            )}
            {documents.length > 0 && (
              <>
                <dt>{rulesText.callers.documentsTitle}</dt>
                <dd>{documents.join('; ')}</dd>
              </>
            )}
            <dt>{rulesText.measure}</dt>
            <dd>{rulesText.measures[rule.measure]}</dd>
            <dt>{text.limits}</dt>
            <dd>{limitsText(rule.limits.map(limitInputOf), rule)}</dd>
            {times !== undefined && (
              <>
                <dt>{rulesText.times.title}</dt>
                <dd>
                  {times}; {nowText(rule)}
                </dd>
              </>
            )}
            <dt>{rulesText.withoutRedis}</dt>
            <dd>{rulesText.withoutRedisModes[rule.onUnavailable]}</dd>
            {rule.onEventDenied !== 'COMPLETE' && (
              <>
                <dt>{rulesText.deniedEvents}</dt>
                <dd>{rulesText.eventPolicies[rule.onEventDenied]}</dd>
              </>
            )}
            {rule.regionMode !== 'CENTRAL' && (
              <>
                <dt>{rulesText.regions}</dt>
                <dd>
                  {rulesText.regionModes[rule.regionMode]}
                  {rule.inRegion &&
                    ` (${text.inRegion(visibleText(rule.inRegion.region), rule.inRegion.limits.map(whole))})`}
                </dd>
              </>
            )}
            <dt>{text.source}</dt>
            <dd>
              {rule.source === 'STORED'
                ? text.stored(rule.version)
                : rule.service
                  ? list.codeOf(visibleText(rule.service))
                  : list.code}
            </dd>
          </dl>
          <div className="form-actions card-body">
            <CopyButton label={commonText.copy.asMutation} text={() => ruleAsMutation(draftOfRule(rule))} isWide />
            <CopyButton label={commonText.copy.asYaml} text={() => ruleAsYaml(draftOfRule(rule))} isWide />
          </div>
        </Card>
        {rule.source === 'STORED' && !rule.retiredAt && <RuleMode rule={rule} />}
      </div>
      <Card title={text.affected} aside={text.denied(whole(rule.denied), whole(rule.shadowDenied))}>
        <DataTable
          name="violations"
          rows={rule.violations.nodes}
          columns={AFFECTED}
          keyOf={({ caller }) => `${caller.kind} ${caller.name} ${caller.tenant}`}
          empty={<Empty title={text.noneAffected}>{text.noneAffectedHint}</Empty>}
        />
      </Card>
      {rule.source === 'STORED' && <RuleVersions rule={rule} />}
    </div>
  );
}

const AFFECTED: Column<FullRule['violations']['nodes'][number]>[] = [
  { title: column.caller, value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  { title: column.denied, value: ({ denied }) => denied, show: ({ denied }) => whole(denied), isNumber: true },
  {
    title: column.shadowDenied,
    value: (row) => row.shadowDenied,
    show: (row) => whole(row.shadowDenied),
    isNumber: true,
  },
];
