import { textAs } from '../options/option-kinds.js';

/** Option for the name that a schema is published under. */
export const serviceName = textAs(
  /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
  '1 to 64 letters, digits and _ . -, beginning with a letter or digit',
);
