import { Link } from 'wouter';

/** Shows a notice at an address without a page. */
export function NotFound() {
  return (
    <div className="page">
      <div className="empty">
        <h1>No page is here</h1>
        <p>The address may be of another version of the console, or was cut off when it was copied.</p>
        <p>
          <Link className="button" href="/">
            To the overview
          </Link>
        </p>
      </div>
    </div>
  );
}
