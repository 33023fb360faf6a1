import { codeBlocks, PAGES } from './documents.js';

/** A command that a page shows to its readers. */
export interface CommandLine {
  page: string;
  /** One line, as a shell reads it: without a prompt, and with continued lines joined. */
  text: string;
}

const PROGRAMS = 'tollgate|tollgate-platform|npx|npm|node|curl|docker|kubectl|helm|git|redis-cli|psql|promtool|openssl';
const COMMAND = new RegExp(`^(?:\\$ )?((?:${PROGRAMS}) .*)$`);

/**
 * Excluded pages: the changelog also shows obsolete commands, and the page of commands is
 * generated.
 */
const LEFT_OUT = new Set(['CHANGELOG.md', 'docs/commands.md']);

/**
 * Returns every command line of every page: those of blocks, and those between backticks that have
 * an option or a file.
 */
export function commandLines(): CommandLine[] {
  const lines = [...ofBlocks(), ...inline()].filter(({ page }) => !LEFT_OUT.has(page));
  return [...new Map(lines.map((line) => [`${line.page} ${line.text}`, line])).values()];
}

function ofBlocks(): CommandLine[] {
  return codeBlocks()
    .filter(({ language }) => ['', 'sh', 'bash', 'shell', 'console'].includes(language))
    .flatMap(({ place, code }) => {
      const whole = code.replaceAll(/ *\\\n\s*/g, ' ').split('\n');
      const page = place.replace(/:\d+$/, '');
      return whole.flatMap((line) => {
        // After several spaces, a description of the command may follow.
        const found = COMMAND.exec(line);
        return found === null ? [] : { page, text: found[1]!.split(/ {3,}/)[0]! };
      });
    });
}

function inline(): CommandLine[] {
  return [...PAGES].flatMap(([page, text]) =>
    [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) => {
      const text = COMMAND.exec(code!)?.[1];
      return text !== undefined && / -| \S+\.\w/.test(text) ? { page, text } : [];
    }),
  );
}
