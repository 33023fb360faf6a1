import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse as parseGraphql } from 'graphql';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ERRORS } from '../../src/model/errors.js';
import { commandHelp } from '../../src/server/commands/command-help.js';
import { COMMANDS } from '../../src/server/commands/commands.js';
import { readCommandLine } from '../../src/server/config/read-command-line.js';
import { SETTING_FLAGS } from '../../src/server/config/setting-flags.js';
import { anchorsOf, codeBlocks, PAGES, ROOT } from './documents.js';

// Checks the statements of the pages as far as a program can: the code compiles, the data can be
// read, the commands exist, and the targets of links exist.

const blocks = codeBlocks();
const of = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));

/**
 * Script that sends six requests, alternately to both servers. Then it sends one request to each
 * server, for which too few tokens remain. It prints the responses and the number of free slots.
 * The clock stands still, so that no token is refilled in between.
 */
const RUN_RECIPE = `
import './clock.js';
import { app as express } from './express.js';
import { app as fastify } from './fastify.js';
import { charge, limiter } from './limit.js';
const server = express.listen(0, '127.0.0.1');
await fastify.listen({ port: 0, host: '127.0.0.1' });
const ports = [server.address().port, fastify.server.address().port];
const subject = { ip: '127.0.0.1' };
const settled = async () => {
  const slots = { id: 'at-once', scope: 'USER', algorithm: 'CONCURRENCY', capacity: 5, leaseMs: 60_000, cost: 1 };
  for (;;) {
    const [{ remaining }] = await limiter.peek({ subject, limits: [slots] });
    if (remaining === 5) return remaining;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
const ask = async (port) => {
  const response = await fetch('http://127.0.0.1:' + port + '/reports');
  const answer = { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
  await settled();
  return answer;
};
const answers = [[], []];
for (let i = 0; i < 6; i++) answers[0].push(await ask(ports[i % 2]));
const tokens = { id: 'tokens', scope: 'USER', algorithm: 'TOKEN_BUCKET', capacity: 100, refillAmount: 10, refillPeriodMs: 1000, cost: 0 };
const [{ remaining }] = await limiter.peek({ subject, limits: [tokens] });
const spent = await charge(subject, remaining - 2);
await limiter.release(spent.receipt);
answers[0].push(await ask(ports[0]));
answers[1].push(await ask(ports[1]));
process.stdout.write(JSON.stringify([...answers, await settled()]));
server.close();
await fastify.close();
await limiter.close();
`;

/**
 * Declarations for names that a block uses without an import, because the text around it defines
 * them.
 */
const AROUND: Record<string, string> = {
  ApolloServer: `import { ApolloServer } from '@apollo/server';`,
  createTollgate: `import { createTollgate } from 'tollgate';`,
  makeExecutableSchema: `import { makeExecutableSchema } from '@graphql-tools/schema';`,
  schema: `declare const schema: import('graphql').GraphQLSchema;`,
  typeDefs: `declare const typeDefs: string;`,
  resolvers: `declare const resolvers: import('@graphql-tools/utils').IResolvers;`,
  identify: `declare const identify: import('tollgate').Identify<object>;`,
  redis: `declare const redis: string;`,
  tollgate: `declare const tollgate: import('tollgate').Tollgate;`,
  limiter: `declare const limiter: import('tollgate/limiter').Limiter;`,
  subject: `declare const subject: import('tollgate').Subject;`,
  limits: `declare const limits: import('tollgate').LimitCharge[];`,
};

describe('code blocks of the documentation', () => {
  it('TypeScript code blocks compile with the entry points of the packages', () => {
    const sources = new Map<string, { place: string; text: string; lines: number }>();
    for (const [index, { place, code }] of of('ts').entries()) {
      const names = Object.entries(AROUND).filter(([name]) => {
        const declaration = new RegExp(`\\b(?:const|let|function) ${name}\\b|import[^;]*\\b${name}\\b[^;]* from`);
        return new RegExp(`\\b${name}\\b`).test(code) && !declaration.test(code);
      });
      const before = names.map(([, declaration]) => declaration);
      // The first line of a block that other blocks import contains the name of its file.
      const [, name = `block-${index}.ts`] = /^\/\/ (\S+\.ts)\n/.exec(code) ?? [];
      sources.set(name, {
        place,
        text: `${before.join('\n')}\n${code}\nexport {};\n`,
        lines: before.length,
      });
    }
    sources.set('schema.ts', {
      place: 'the schema of the reader',
      text: `export declare const schema: import('graphql').GraphQLSchema;`,
      lines: 0,
    });
    expect(compile(sources)).toEqual([]);
  });

  it('the recipe for the limiter alone limits endpoints of Express and Fastify', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-recipe-'));
    try {
      const recipe = of('ts').filter(({ place }) => place.startsWith('docs/standalone-limiter.md'));
      expect(recipe).toHaveLength(3);
      const entryPoint = JSON.stringify(pathToFileURL(join(ROOT, 'dist/entry/limiter.js')).href);
      for (const [index, name] of ['limit', 'express', 'fastify'].entries()) {
        const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
        const { outputText } = ts.transpileModule(recipe[index]!.code, { compilerOptions: options });
        writeFileSync(join(folder, `${name}.js`), outputText.replace("'tollgate/limiter'", entryPoint));
      }
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      writeFileSync(join(folder, 'clock.js'), 'const nowMs = Date.now();\nDate.now = () => nowMs;\n');
      writeFileSync(join(folder, 'run.js'), RUN_RECIPE);
      const { REDIS_URL, ...env } = process.env;
      const { stdout, stderr } = spawnSync(process.execPath, ['run.js'], { cwd: folder, env, encoding: 'utf8' });
      expect(stderr).toBe('');
      const answered = { status: 200, retryAfter: null, text: '["one","two","three"]' };
      const denied = {
        status: 429,
        retryAfter: expect.stringMatching(/^[12]$/),
        text: expect.stringContaining('"deniedBy":"tokens"'),
      };
      // Six operations of 20 tokens fit into 100, because each is settled to 3 tokens. None keeps
      // its slot.
      expect(JSON.parse(stdout)).toEqual([[...Array(6).fill(answered), denied], [denied], 5]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('JSON, YAML and GraphQL code blocks can be parsed', () => {
    for (const { place, language, code } of of('json', 'yaml', 'graphql')) {
      const read = () => {
        if (language === 'json') JSON.parse(code);
        else if (language === 'yaml') for (const document of parseAllDocuments(code)) document.toJS();
        else parseGraphql(code);
      };
      expect(read, place).not.toThrow();
    }
  });

  it('npm scripts in code blocks exist in package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const named = blocks.flatMap(({ code }) =>
      [...code.matchAll(/\bnpm run ([a-z][a-z:-]*)/g)].map((match) => match[1]!),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('benches and examples in documented commands exist', () => {
    const texts = [...PAGES].filter(([page]) => page !== 'CHANGELOG.md').map(([, text]) => text);
    const named = (script: string) =>
      texts.flatMap((text) =>
        [...text.matchAll(new RegExp(`npm run ${script} --((?: [a-z-]+(?![\\w.]))+)`, 'g'))].flatMap((match) =>
          match[1]!
            .trim()
            .split(/ {2,}/)[0]!
            .split(' ')
            .filter((word) => !word.startsWith('--')),
        ),
      );
    const isThere = (path: string) => existsSync(join(ROOT, path));
    expect(named('bench').length).toBeGreaterThan(3);
    expect(named('bench').filter((name) => !isThere(`bench/${name}.ts`))).toEqual([]);
    expect(named('example').length).toBeGreaterThan(3);
    expect(named('example').filter((name) => !isThere(`examples/${name}`))).toEqual([]);
  });
});

describe('commands in the documentation', () => {
  /**
   * Occurrences of `tollgate COMMAND ...` in blocks or between backticks, with their places. Forms
   * with `npx` and of the platform's package are included.
   */
  const named = [...PAGES].flatMap(([page, text]) =>
    [...text.matchAll(/(?:`|^)(?:\$ |npx )?tollgate(?:-platform)? ([a-z]+)\b([^`\n]*)/gm)]
      .filter(() => page !== 'CHANGELOG.md')
      .map(([whole, name, rest]) => ({ place: `${page}: ${whole}`, name: name!, args: argumentsOf(rest!) })),
  );

  it('documented commands exist and accept the documented flags and actions', () => {
    expect(named.length).toBeGreaterThan(10);
    const wrong = named.flatMap(({ place, name, args }) => {
      const command = COMMANDS.find((one) => one.name === name);
      if (!command) return [`${place}: no such command`];
      const { problems, operands } = readCommandLine(command, args);
      const action = operands[0];
      const isUnknown = command.actions && action !== undefined && !Object.hasOwn(command.actions, action);
      return [...problems, ...(isUnknown ? [`no action ${action}`] : [])].map((problem) => `${place}: ${problem}`);
    });
    expect(wrong).toEqual([]);
  });

  it('docs/commands.md contains the help of each command, except for settings that another page lists', () => {
    const page = PAGES.get('docs/commands.md')!;
    for (const command of COMMANDS) {
      expect(page).toContain(
        `## \`tollgate ${command.name}\`\n\n\`\`\`text\n${commandHelp(command, SETTING_FLAGS)}\`\`\``,
      );
    }
  });

  it('every flag in docs/configuration.md is accepted', () => {
    const flags = [...PAGES.get('docs/configuration.md')!.matchAll(/`--([a-z0-9-]+)/g)].map((match) => match[1]!);
    expect(flags.length).toBeGreaterThan(20);
    expect(flags.filter((flag) => !Object.hasOwn(SETTING_FLAGS, flag))).toEqual([]);
  });
});

describe('pages of the documentation', () => {
  it('links in the documentation lead to existing files and headings', () => {
    const broken = [...PAGES].flatMap(([page, text]) =>
      [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)]
        .map((match) => match[1]!)
        .filter((link) => !leadsSomewhere(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('docs/troubleshooting.md has a section for every error code', () => {
    const anchors = anchorsOf(PAGES.get('docs/troubleshooting.md')!);
    const missing = Object.keys(ERRORS).filter((code) => !anchors.has(code.toLowerCase()));
    expect(missing).toEqual([]);
  });

  it('the README links to every page in docs', () => {
    const linked = new Set([...PAGES.get('README.md')!.matchAll(/\]\(([^)#\s]+)/g)].map((match) => match[1]));
    const pages = [...PAGES.keys()].filter((page) => page.startsWith('docs/'));
    expect(pages.filter((page) => !linked.has(page))).toEqual([]);
  });
});

/** Splits a command into arguments like a shell, except for syntax that no page uses. */
function argumentsOf(text: string): string[] {
  const command = text.split(/ (?:[|>#]|&&) /)[0]!.replace(/ \| \w+/g, '');
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain!,
  );
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(ROOT, target))) return false;
  if (anchor === undefined || !target.endsWith('.md')) return true;
  return anchorsOf(readFileSync(join(ROOT, target), 'utf8')).has(anchor);
}

/** Returns the compiler's errors of the sources, each with its place in the page. */
function compile(sources: ReadonlyMap<string, { place: string; text: string; lines: number }>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-documentation-'));
  try {
    const compilerOptions = {
      target: 'ES2022',
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      lib: ['ES2023', 'DOM'],
      types: ['node'],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      experimentalDecorators: true,
      paths: {
        tollgate: [join(ROOT, 'src/index.ts')],
        'tollgate-client': [join(ROOT, 'packages/client/src/index.ts')],
        ...Object.fromEntries(
          ['apollo', 'manifest', 'react', 'urql'].map((entryPoint) => [
            `tollgate-client/${entryPoint}`,
            [join(ROOT, `packages/client/src/${entryPoint}.ts`)],
          ]),
        ),
        ...Object.fromEntries(
          [
            'admin',
            'cost',
            'graphiql',
            'graphql-http',
            'limiter',
            'mercurius',
            'nest',
            'server',
            'testing',
            'yoga',
          ].map((entryPoint) => [`tollgate/${entryPoint}`, [join(ROOT, `src/entry/${entryPoint}.ts`)]]),
        ),
      },
    };
    const written = { 'package.json': { type: 'module' }, 'tsconfig.json': { compilerOptions, include: ['*.ts'] } };
    for (const [name, content] of Object.entries(written)) writeFileSync(join(folder, name), JSON.stringify(content));
    for (const [name, { text }] of sources) writeFileSync(join(folder, name), text);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const compiler = join(ROOT, 'scripts/compile.mjs');
    const { stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    });
    // file(line,column): error TS0000: text, and its explanation on separate, indented lines.
    const errors = `${stdout}${stderr}`.split(/\n(?! )/).filter((error) => error.trim() !== '');
    return errors.flatMap((error) => {
      const [, name, line = '', text = ''] = /^([^(]+)\((\d+),\d+\): (.*)$/s.exec(error) ?? [];
      const source = name === undefined ? undefined : sources.get(name);
      if (source) return [`${source.place}, line ${Number(line) - source.lines} of the block: ${text}`];
      // Tollgate's own sources are checked separately, with other options.
      return name?.startsWith('..') ? [] : [error];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
