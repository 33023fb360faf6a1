// Exits with an error and the command to run if the packages of test/package.json are not
// installed. `npm run build`, the checks, the benches and the examples need them. `npm ci
// --no-workspaces`, the quick installation of a first start, omits them.
import { createRequire } from 'node:module';

try {
  createRequire(import.meta.url).resolve('typescript-native/package.json');
} catch {
  const command = process.env.npm_lifecycle_event?.replace(/^pre/, '') ?? 'this command';
  process.stderr.write(
    `npm run ${command} needs packages that "npm ci --no-workspaces" does not install. Run "npm ci" first.\n`,
  );
  process.exitCode = 1;
}
