import { notInstalled } from '../../runtime/packages/load-optional.js';

/** The package, for `loadOptional` to say who needs it. */
export async function importIoredis() {
  try {
    const ioredis = await import('ioredis');
    // What it exports is a class with the rest as its members, and some bundlers give no names to the members of classes.
    return 'Command' in ioredis ? ioredis : (ioredis as { default: typeof ioredis }).default;
  } catch (error) {
    throw notInstalled('ioredis', error);
  }
}
