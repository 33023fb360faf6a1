import { useSearchParams } from 'wouter';
import { useAdmin } from '../../../api/use-admin.js';
import { useMay } from '../../../app/login/session-context.js';
import { RuleToChangeDocument } from '../../../generated/graphql.js';
import { Empty } from '../../../parts/feedback/empty.js';
import { EmptyPage } from '../../../parts/feedback/empty-page.js';
import { Load } from '../../../parts/feedback/load.js';
import { Page } from '../../../parts/page.js';
import { rulesText } from '../../../text/rules-text.js';
import { shellText } from '../../../text/shell-text.js';
import { exemptionIn } from '../exemption-path.js';
import { RuleForm } from './rule-form.js';

const { form: text } = rulesText;

/** Shows the page with the form for a new rule, or for the rule in the URL. */
export function RuleFormPage() {
  const [search] = useSearchParams();
  const mayChange = useMay()('ADMIN');
  const name = search.get('name');
  const query = useAdmin(RuleToChangeDocument, { name: name ?? '' }, { enabled: name !== null, isKept: false });
  if (!mayChange) {
    return (
      <EmptyPage title={text.adminsOnly} href="/rules" link={shellText.goTo(shellText.pages.rules)}>
        {text.adminsOnlyHint}
      </EmptyPage>
    );
  }
  if (name === null) {
    return (
      <Page title={text.newTitle} lead={text.lead}>
        <RuleForm start={exemptionIn(search)} />
      </Page>
    );
  }
  return (
    <Page title={text.editTitle} lead={text.lead}>
      <Load query={query} rows={8}>
        {({ rule }) =>
          rule?.source === 'STORED' ? (
            // The key excludes the version. Otherwise, a change by another person would discard the
            // text that the user is writing.
            <RuleForm key={rule.id} rule={rule} />
          ) : (
            <Empty title={text.notEditable}>{text.notEditableHint}</Empty>
          )
        }
      </Load>
    </Page>
  );
}
