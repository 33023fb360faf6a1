import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // `npm start` in one terminal and `npm run dev` in another: the page as you edit it, with the API of the first.
  server: { proxy: { '/graphql': 'http://localhost:4000' } },
});
