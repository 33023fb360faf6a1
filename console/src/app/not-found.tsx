import { EmptyPage } from '../parts/feedback/empty-page.js';
import { shellText } from '../text/shell-text.js';

const { notFound } = shellText;

/** Shows a notice at a URL without a page. */
export function NotFound() {
  return (
    <EmptyPage title={notFound.title} href="/" link={notFound.toOverview}>
      {notFound.hint}
    </EmptyPage>
  );
}
