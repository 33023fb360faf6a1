// Starts an example in the same way as a user who has copied it: `npm run example -- express`.
// Packs Tollgate as for publishing, or uses the tarballs that a second argument names as JSON.
// Installs Tollgate and the example's own packages in a temporary folder, and runs the example
// there.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPackages, withPacked } from './pack-packages.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EXAMPLES = join(ROOT, 'examples');
const names = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'package.json')));
const [name, packed] = process.argv.slice(2);
if (!names.includes(name)) {
  process.stderr.write(`usage: npm run example -- NAME, where NAME is one of: ${names.join(', ')}\n`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), `tollgate-example-${name}-`));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const cwd = join(folder, name);
cpSync(join(EXAMPLES, name), cwd, { recursive: true });

const manifest = withPacked(join(cwd, 'package.json'), packed ? JSON.parse(packed) : await packPackages(folder));

run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--silent');
if (manifest.scripts.prestart !== undefined) run('npm', 'run', '--silent', 'prestart');
// The server is not started through npm, because npm would not forward the signals.
const server = spawn('sh', ['-c', `exec ${manifest.scripts.start}`], { cwd, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.once('exit', (code) => process.exit(code ?? 1));

function run(command, ...args) {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}
