import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tollgate-build-'));
const at = (path: string) => join(folder, path);
beforeAll(() => {
  const texts = ['lua', 'migrations', 'schema'];
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  for (const name of ['src', 'packages/platform', 'scripts', ...texts, ...settings]) {
    cpSync(join(ROOT, name), at(name), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), at('node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the first step of `npm start`. */
function buildToRun(): number {
  const { status, stderr } = spawnSync(process.execPath, [at('scripts/build-unchecked.mjs'), '--to-run'], {
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return statSync(at('dist/cli.js')).mtimeMs;
}

describe('a runnable build', () => {
  it('buildToRun builds once, and again after a source has changed', () => {
    const built = buildToRun();
    const { status, stdout } = spawnSync(process.execPath, [at('dist/cli.js'), '--version'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '0.1.0\n']);
    expect(buildToRun()).toBe(built);
    const later = new Date(Date.now() + 1000);
    utimesSync(at('src/cli.ts'), later, later);
    expect(buildToRun()).toBeGreaterThan(built);
  });

  it('the command names tollgate-platform if its sample API is missing, and buildToRun builds the sample again', () => {
    rmSync(at('packages/platform/dist'), { recursive: true });
    const env = { PATH: process.env['PATH'], TOLLGATE_DATA_DIR: at('data'), PORT: '4099' };
    const { status, stderr } = spawnSync(process.execPath, [at('dist/cli.js'), 'start'], { encoding: 'utf8', env });
    expect([status, stderr]).toEqual([1, expect.stringContaining('run "npx tollgate-platform start"')]);
    buildToRun();
    expect(existsSync(at('packages/platform/dist/sample.js'))).toBe(true);
  });

  it('buildToRun removes the saved state of the compiler, so that it compiles everything again', () => {
    const later = new Date(Date.now() + 2000);
    writeFileSync(at('dist/.tsbuildinfo'), '{}');
    utimesSync(at('dist/.tsbuildinfo'), new Date(0), new Date(0));
    utimesSync(at('src/cli.ts'), later, later);
    buildToRun();
    expect(existsSync(at('dist/.tsbuildinfo'))).toBe(false);
  });
});

describe('the bundles of a build', () => {
  const bundle = () =>
    spawnSync(process.execPath, [at('scripts/bundle-entry-points.mjs')], { cwd: folder, encoding: 'utf8' });
  const code = () => {
    const names = readdirSync(at('dist'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
    return new Map(names.sort().map((name) => [name, readFileSync(at(`dist/${name}`), 'utf8')]));
  };
  /** Returns the exports of each entry point, by file, without starting a server. */
  const namesOf = () => {
    const { exports } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
    const entryPoints = Object.values<{ default?: string }>(exports).flatMap(({ default: path }) => path ?? []);
    const program = `for (const path of ${JSON.stringify(entryPoints)})
      console.log(path, await import(path).then((exported) => Object.keys(exported).join(), ({ code }) => code));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: folder,
      encoding: 'utf8',
    });
    return stdout;
  };

  it('the bundled entry points export the same names as the modules, in the same files each time', () => {
    buildToRun();
    cpSync(at('dist'), at('modules'), { recursive: true });
    const names = namesOf();
    expect(names).toContain('./dist/entry/limiter.js createLimiter\n');
    expect(bundle().status).toBe(0);
    const first = code();
    expect(namesOf()).toBe(names);
    // This simulates the next build, which writes the modules again. After bundling, no file of the
    // first bundles may remain.
    cpSync(at('modules'), at('dist'), { recursive: true });
    expect(bundle().status).toBe(0);
    expect([...code().keys()]).toEqual([...first.keys()]);
    expect(code()).toEqual(first);
  });

  it('no bundle imports the file that runs the commands', () => {
    for (const [name, text] of code()) expect(text, name).not.toMatch(/from "\.{1,2}\/cli\.js"/);
    expect(code().get('cli.js')).toMatch(/^#!\/usr\/bin\/env node\n[\s\S]*\nexport \{\};\n$/);
  });

  it('no bundle refers to a file outside the package by a relative path', () => {
    for (const [name, text] of code()) expect(text, name).not.toMatch(/["'`](\.\.\/){2}[^"'`]*["'`],? import\.meta/);
  });

  it('bundling twice fails and leaves the bundles unchanged', () => {
    const before = code();
    const { status, stderr } = bundle();
    expect(status).toBe(1);
    expect(stderr).toContain('does not contain the modules of a build, or is bundled already: npm run build:unchecked');
    expect(code()).toEqual(before);
    // The next build replaces the bundles with modules.
    buildToRun();
    expect(existsSync(at('dist/limiter/create-limiter.js'))).toBe(true);
  });
});

describe('the packages that `npm ci --no-workspaces` installs', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  const { devDependencies } = read('package.json') as { devDependencies: Record<string, string> };
  const sources = [
    'src',
    'console',
    'scripts/build-unchecked.mjs',
    'packages/platform/src',
    'scripts/inline-files.mjs',
    'scripts/build-platform.mjs',
    'scripts/bundle-entry-points.mjs',
  ]
    .flatMap((path) => textsBelow(join(ROOT, path)))
    .join('\n');
  const isUsed = (name: string) => [`'${name}'`, `'${name}/`].some((text) => sources.includes(text));
  const peers = new Set(
    Object.keys(devDependencies).flatMap((name) =>
      Object.keys(read(`node_modules/${name}/package.json`).peerDependencies ?? {}),
    ),
  );

  it('every development dependency of the root is used by a build or at run time, and not only by tests', () => {
    expect(Object.keys(devDependencies).filter((name) => !isUsed(name) && !peers.has(name))).toEqual([]);
  });

  it('the sources import no package that is installed only for tests', () => {
    const { dependencies } = read('package.json');
    const forTests = Object.keys(read('test/package.json').devDependencies);
    const missing = forTests.filter((name) =>
      new RegExp(`^import (?!type )[^;]* from '${name}['/]|^import '${name}['/]`, 'm').test(sources),
    );
    expect(missing).toEqual([]);
    expect(forTests.filter((name) => name in dependencies || name in devDependencies)).toEqual([]);
  });
});

function textsBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [readFileSync(path, 'utf8')];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[jt]sx?$/.test(name))
    .map((name) => readFileSync(join(path, name), 'utf8'));
}
