import { placesOf } from './places.js';

/** Addresses of the console and of the API, from the document of this page. */
export const here = placesOf(
  document.querySelector('base')?.getAttribute('href') ?? '/console/',
  document.querySelector<HTMLMetaElement>('meta[name="tollgate-admin"]')?.content ?? '/admin',
);
