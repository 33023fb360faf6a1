import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/forms.css';
import { createRoot } from 'react-dom/client';
import { here } from './api/here.js';
import { App } from './app/app.js';
import { loadPageAt } from './app/console-routes.js';
import { applyTheme, storedTheme } from './app/theme.js';

applyTheme(storedTheme());
loadPageAt(window.location.pathname.slice(here.base.length) || '/');
createRoot(document.getElementById('root')!).render(<App />);
