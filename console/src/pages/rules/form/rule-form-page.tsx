import { useSearchParams } from 'wouter';
import { useAdmin } from '../../../api/use-admin.js';
import { useMay } from '../../../app/login/session-context.js';
import { RuleToChangeDocument } from '../../../generated/graphql.js';
import { Empty } from '../../../parts/feedback/empty.js';
import { Load } from '../../../parts/feedback/load.js';
import { Page } from '../../../parts/page.js';
import { RuleForm } from './rule-form.js';

const LEAD = 'In shadow it counts and denies nobody: enforce it when its numbers are right.';

/** Shows the page with the form for a new rule, or for the rule in the address. */
export function RuleFormPage() {
  const [search] = useSearchParams();
  const mayChange = useMay()('ADMIN');
  const name = search.get('name');
  const query = useAdmin(RuleToChangeDocument, { name: name ?? '' }, { enabled: name !== null, isKept: false });
  if (!mayChange)
    return (
      <Empty title="Rules are changed by administrators">
        Your role may look at them, and operators may switch their modes.
      </Empty>
    );
  if (name === null) {
    return (
      <Page title="New rule" lead={LEAD}>
        <RuleForm />
      </Page>
    );
  }
  return (
    <Page title="Change a rule" lead={LEAD}>
      <Load query={query} rows={8}>
        {({ rule }) =>
          rule?.source === 'STORED' ? (
            // The key excludes the version. Changes of others must not discard the text that is
            // being written.
            <RuleForm key={rule.id} rule={rule} />
          ) : (
            <Empty title="No rule of this name can be changed here">It is not there, or defined in code.</Empty>
          )
        }
      </Load>
    </Page>
  );
}
