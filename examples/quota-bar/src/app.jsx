import { useState } from 'react';
import { loadPage } from './api.js';
import { QuotaBar } from './quota-bar.jsx';

const PAGES = 25;

export function App() {
  const [books, setBooks] = useState([]);
  const [error, setError] = useState();
  const [isLoading, setLoading] = useState(false);

  /**
   * Requests all pages at the same time. The pacer delays each request until the budget has room,
   * so the API denies none.
   */
  async function loadAll() {
    setBooks([]);
    setError(undefined);
    setLoading(true);
    try {
      await Promise.all(
        Array.from({ length: PAGES }, async (_, page) => {
          const more = await loadPage(page * 20);
          setBooks((known) => [...known, ...more]);
        }),
      );
    } catch (reason) {
      setError(reason.message);
    } finally {
      setLoading(false);
    }
  }

  return (
    <main>
      <h1>Books</h1>
      <QuotaBar />
      <button type="button" onClick={loadAll} disabled={isLoading}>
        Load all 500 books
      </button>
      {error && <p role="alert">{error}</p>}
      <p>{books.length} loaded</p>
      <ol>
        {books.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ol>
    </main>
  );
}
