import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, posix, resolve } from 'node:path';

/** The last stage of a Dockerfile, built in a folder, with the settings of its containers. */
export interface BuiltImage {
  /** Returns the location of a path of the image. */
  at(path: string): string;
  workdir: string;
  env: Record<string, string>;
  command: string[];
  healthCommand: string[];
}

interface Stage {
  name: string;
  root: string;
  workdir: string;
  env: Record<string, string>;
}

export interface RunDockerfileOptions {
  dockerfile: string;
  /** Source folder of COPY. */
  context: string;
  /** An empty folder, in which each stage gets a separate folder. */
  folder: string;
  /** Environment of all commands, in addition to the settings of the Dockerfile. */
  env: NodeJS.ProcessEnv;
}

/**
 * Executes the steps of a Dockerfile without Docker. The root of the file system of each stage is a
 * folder, and each RUN is a shell in this folder.
 * @throws for an unknown instruction, so that no step is skipped silently
 */
export function runDockerfile({ dockerfile, context, folder, env }: RunDockerfileOptions): BuiltImage {
  const stages: Stage[] = [];
  const image = { command: [] as string[], healthCommand: [] as string[] };
  const stage = () => stages.at(-1)!;
  /** Returns the location of a path of a stage. A relative path is below its working directory. */
  const at = (path: string, { root, workdir } = stage()) =>
    join(root, isAbsolute(path) ? path : posix.join(workdir, path));

  for (const { instruction, text } of readInstructions(dockerfile)) {
    const words = text.split(/\s+/);
    switch (instruction) {
      case 'FROM': {
        const name = words[2] ?? String(stages.length);
        stages.push({ name, root: join(folder, name), workdir: '/', env: {} });
        mkdirSync(stage().root, { recursive: true });
        break;
      }
      case 'WORKDIR':
        stage().workdir = posix.resolve(stage().workdir, text);
        mkdirSync(at('.'), { recursive: true });
        break;
      case 'ENV':
        for (const word of words) {
          const [name = '', value = ''] = word.split('=');
          stage().env[name] = isAbsolute(value) ? at(value) : value;
        }
        break;
      case 'COPY': {
        const from = stages.find(({ name }) => `--from=${name}` === words[0]);
        const paths = (from ? words.slice(1) : words).map((path) => (from || path !== '' ? path : '.'));
        const to = paths.pop()!;
        for (const path of paths) {
          const source = from ? at(path, from) : resolve(context, path);
          if (!existsSync(source)) throw new Error(`COPY ${path}: the path does not exist`);
          const target = to.endsWith('/') || paths.length > 1 ? join(at(to), basename(path)) : at(to);
          mkdirSync(dirname(target), { recursive: true });
          cpSync(source, target, { recursive: true, verbatimSymlinks: true });
        }
        break;
      }
      case 'RUN':
        runShell(inFolder(text, stage().root), at('.'), { ...env, ...stage().env });
        break;
      case 'HEALTHCHECK':
        image.healthCommand = JSON.parse(text.slice(text.indexOf('['))) as string[];
        break;
      case 'CMD':
        image.command = JSON.parse(text) as string[];
        break;
      // These instructions have no effect outside of Docker.
      case 'VOLUME':
      case 'USER':
      case 'EXPOSE':
        break;
      default:
        throw new Error(`${instruction}: unknown instruction`);
    }
  }
  const last = stage();
  return { ...image, at: (path) => at(path, last), workdir: at('.', last), env: last.env };
}

function readInstructions(dockerfile: string): { instruction: string; text: string }[] {
  const lines = readFileSync(dockerfile, 'utf8')
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, instruction = '', text = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      return { instruction, text: text.trim() };
    });
}

/**
 * Returns the command with every absolute path inside the folder of its stage, and with an existing
 * owner.
 */
function inFolder(command: string, root: string): string {
  const { uid, gid } = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  return command
    .replace(/(^|\s)(\/[\w./*-]*)/g, (_, before: string, path: string) => `${before}${root}${path}`)
    .replace('node:node', `${uid}:${gid}`);
}

function runShell(command: string, cwd: string, env: NodeJS.ProcessEnv): void {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`RUN ${command}\nended with ${status}:\n${stdout}\n${stderr}`);
}
