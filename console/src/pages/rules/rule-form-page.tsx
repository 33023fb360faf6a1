import { useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { RuleInFullDocument } from '../../generated/graphql.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { Page } from '../../parts/page.js';
import { rangeInput, readRange } from '../../parts/range/shown-range.js';
import { useRange } from '../../parts/range/use-range.js';
import { draftOfRule } from './draft-of-rule.js';
import { NEW_RULE, RuleForm } from './rule-form.js';

/** A new rule, or the one that the address names. */
export function RuleFormPage() {
  const [search] = useSearchParams();
  const mayChange = useMay()('ADMIN');
  const name = search.get('name');
  const { toMs } = useRange('24h');
  const day = rangeInput(readRange('24h', toMs - 1));
  const query = useAdmin(RuleInFullDocument, { name: name ?? '', day }, { enabled: name !== null });
  if (!mayChange)
    return (
      <Empty title="Rules are changed by administrators">
        Your role may look at them, and operators may switch their modes.
      </Empty>
    );
  const lead = 'In shadow it counts and denies nobody: enforce it when its numbers are right.';
  if (name === null) {
    return (
      <Page title="New rule" lead={lead}>
        <RuleForm first={NEW_RULE} />
      </Page>
    );
  }
  return (
    <Page title="Change a rule" lead={lead}>
      <Load query={query} rows={8}>
        {({ rule }) =>
          rule?.source === 'STORED' ? (
            <RuleForm key={`${rule.id} ${rule.version}`} first={draftOfRule(rule)} existing={rule} />
          ) : (
            <Empty title="No rule of this name can be changed here">It is not there, or defined in code.</Empty>
          )
        }
      </Load>
    </Page>
  );
}
