import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // For development, run `npm start` in one terminal and `npm run dev` in another. The development
  // server forwards requests of the page to the API of the first terminal.
  server: { proxy: { '/graphql': 'http://localhost:4000' } },
});
