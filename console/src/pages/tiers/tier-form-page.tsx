import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { TierToChangeDocument } from '../../generated/graphql.js';
import { Empty } from '../../parts/feedback/empty.js';
import { EmptyPage } from '../../parts/feedback/empty-page.js';
import { Load } from '../../parts/feedback/load.js';
import { Page } from '../../parts/page.js';
import { shellText } from '../../text/shell-text.js';
import { tiersText } from '../../text/tiers-text.js';
import { TierForm } from './tier-form.js';

const { form: text, page } = tiersText;

/** Shows the page with the form for a new tier, or for the tier in the URL. */
export function TierFormPage() {
  const [search] = useSearchParams();
  const mayChange = useMay()('ADMIN');
  const name = search.get('name');
  const query = useAdmin(TierToChangeDocument, { name: name ?? '' }, { enabled: name !== null, isKept: false });
  if (!mayChange) {
    return (
      <EmptyPage title={text.adminsOnly} href="/tiers" link={shellText.goTo(shellText.pages.tiers)}>
        {text.adminsOnlyHint}
      </EmptyPage>
    );
  }
  if (name === null) {
    return (
      <Page title={text.newTitle} lead={text.lead}>
        <TierForm />
      </Page>
    );
  }
  return (
    <Page title={text.editTitle} lead={text.lead}>
      <Load query={query} rows={8}>
        {/* The key excludes the version. Otherwise, a change by another person would discard the
            text that the user is writing. */}
        {({ tier }) =>
          tier ? (
            <TierForm key={tier.id} tier={tier} />
          ) : (
            <Empty title={page.notFound}>
              {page.notFoundHint} <Link href="/tiers?retired=true">{page.showRetired}</Link>
            </Empty>
          )
        }
      </Load>
    </Page>
  );
}
