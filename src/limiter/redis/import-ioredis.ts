import { notInstalled } from '../../runtime/packages/load-optional.js';

/**
 * Imports the package. `loadOptional` turns a missing package into a message that names the feature
 * that needs it.
 */
export async function importIoredis() {
  try {
    const ioredis = await import('ioredis');
    // The package exports a class whose members are its other exports. Some bundlers do not turn
    // members of classes into named exports.
    return 'Command' in ioredis ? ioredis : (ioredis as { default: typeof ioredis }).default;
  } catch (error) {
    throw notInstalled('ioredis', error);
  }
}
