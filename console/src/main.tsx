import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/forms.css';
import './styles/phones.css';
import { createRoot } from 'react-dom/client';
import { here } from './api/here.js';
import { App } from './app/app.js';
import { loadPageAt } from './app/console-routes.js';
import { logIn, readSession } from './app/login/session.js';
import { takeProof } from './app/login/take-proof.js';
import { applyTheme, storedTheme } from './app/theme.js';

applyTheme(storedTheme());
const { code, address } = takeProof(window.location.href);
// The code is removed from the address bar before any request, because the address appears in the
// browser history and in screenshots.
if (code !== undefined) window.history.replaceState(null, '', address);
// Both requests start before the first render, because the page waits for them.
const session = code === undefined ? readSession() : logIn({ code }).then(readSession);
// The app shows the error once it is rendered.
session.catch(() => {});
const page = loadPageAt(window.location.pathname.slice(here.base.length) || '/');
createRoot(document.getElementById('root')!).render(<App session={session} page={page} />);
