import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Address of the platform that `npm run dev:console` calls. */
const PLATFORM = process.env['TOLLGATE_URL'] ?? 'http://localhost:4000';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative to the <base> of the page, which the server writes: the console may be mounted anywhere.
  base: './',
  plugins: [react()],
  define: { __TOLLGATE_VERSION__: JSON.stringify(version) },
  build: {
    outDir: fileURLToPath(new URL('../dist/console', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Nothing is inlined, because the content security policy of the page blocks data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rollupOptions: { input: ['index.html', 'api.html'].map((name) => fileURLToPath(new URL(name, import.meta.url))) },
  },
  server: {
    proxy: { '/admin': PLATFORM, '/console/session': PLATFORM, '/graphql': PLATFORM },
  },
});
