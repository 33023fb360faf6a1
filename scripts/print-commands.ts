// Prints docs/commands.md, the help of every command. With --check it writes nothing and fails if
// the file is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandHelp, overviewHelp } from '../src/server/commands/command-help.js';
import { COMMANDS } from '../src/server/commands/commands.js';
import { SETTING_FLAGS } from '../src/server/config/setting-flags.js';

const FILE = fileURLToPath(new URL('../docs/commands.md', import.meta.url));
const page = `# Commands

Run a command as \`npx tollgate COMMAND\`. This page shows the output of \`--help\` without the settings of \`start\`,
\`gateway\` and \`doctor\`, which are in [configuration.md](configuration.md). A command with an unknown flag does not run, and names the most
similar flag. See [cost-model.md](cost-model.md) for the prices that \`cost\` computes, and
[admin-api.md](admin-api.md#policies-in-a-file) for the file of \`rules\`.

\`\`\`text
${overviewHelp(COMMANDS)}\`\`\`

${COMMANDS.map((command) => `## \`tollgate ${command.name}\`\n\n\`\`\`text\n${commandHelp(command, SETTING_FLAGS)}\`\`\`\n`).join('\n')}`;

const present = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
if (!process.argv.includes('--check')) writeFileSync(FILE, page);
else if (present !== page) {
  process.stderr.write('docs/commands.md is out of date: run npm run generate\n');
  process.exitCode = 1;
}
