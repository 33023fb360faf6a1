import type { Tollgate } from '../../tollgate/create-tollgate.js';

/** The code that publishes an API, and the command of a gateway. The console shows the same. */
const HOW_TO_ADD = [
  '  API      none is known yet. Add this line to your API server, with the DATABASE_URL and REDIS_URL of this platform:',
  "           const tollgate = await createTollgate({ schema, service: 'my-api', postgres: process.env.DATABASE_URL, redis: process.env.REDIS_URL });",
  '           To protect an API that you cannot change, start a gateway:',
  '           npx tollgate-platform gateway --upstream https://api.example.com/graphql',
];

/**
 * Returns the lines about the APIs that a platform without an API of its own administers. If there
 * are none, returns instructions to add one.
 */
export async function describeApis({ administration }: Pick<Tollgate, 'administration'>): Promise<string[]> {
  const { catalog } = administration!;
  // The output must not fail the start.
  const services = await catalog({ withOwn: false })
    .services()
    .catch(() => undefined);
  if (services === undefined) return [];
  const names = services.map(({ name }) => name).join(', ');
  return services.length === 0 ? HOW_TO_ADD : [`  API      ${names} (published by their servers)`];
}
