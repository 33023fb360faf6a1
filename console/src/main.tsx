import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/forms.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { applyTheme, storedTheme } from './app/theme.js';

applyTheme(storedTheme());
createRoot(document.getElementById('root')!).render(<App />);
