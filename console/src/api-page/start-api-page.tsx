import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from '../app/error-boundary.js';
import { ApiPage } from './api-page.js';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/shell.css';
import '../styles/parts.css';
import '../styles/forms.css';
import '../styles/phones.css';

createRoot(document.getElementById('root')!).render(
  <ErrorBoundary>
    <QueryClientProvider client={new QueryClient()}>
      <ApiPage />
    </QueryClientProvider>
  </ErrorBoundary>,
);
