import { createPacedFetch } from 'tollgate-client';

/** Paced `fetch` of the entire app, because all requests of the app share one budget. */
export const send = createPacedFetch();

const PAGE = 'query Page($limit: Int!, $offset: Int!) { books(limit: $limit, offset: $offset) { id title } }';

export async function loadPage(offset, limit = 20) {
  const response = await send('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: PAGE, variables: { limit, offset } }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  return data.books;
}
