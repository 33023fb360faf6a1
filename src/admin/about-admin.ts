import type { IncomingMessage } from 'node:http';
import { ADMIN_PATHS } from './admin-paths.js';

/** Page for people who open the address in a browser. It contains no data. */
export const ABOUT_ADMIN = `<!doctype html>
<html lang="en">
  <title>Admin API · Tollgate</title>
  <h1>The admin API of Tollgate</h1>
  <p>Send a POST request with JSON and an admin token. <a href="console/">The console</a> uses all its functions.</p>
</html>
`;

export function isLandingPage({ method, url, headers }: IncomingMessage): boolean {
  return method === 'GET' && url === ADMIN_PATHS.GRAPHQL && (headers.accept ?? '').startsWith('text/html');
}
