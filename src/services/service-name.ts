import { textAs } from '../options/option-kinds.js';

/** The name under which a schema is published. */
export const serviceName = textAs(
  /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
  '1 to 64 letters, digits and _ . -, beginning with a letter or digit',
);
