import { Link } from 'wouter';
import { shellText } from '../text/shell-text.js';

/** Shows a notice at an address without a page. */
export function NotFound() {
  return (
    <div className="page">
      <div className="empty">
        <h1>{shellText.notFound.title}</h1>
        <p>{shellText.notFound.hint}</p>
        <p>
          <Link className="button" href="/">
            {shellText.notFound.toOverview}
          </Link>
        </p>
      </div>
    </div>
  );
}
