// Prints docs/commands.md, the help of every command. With --check it writes nothing and fails if
// the file is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandHelp, overviewHelp } from '../src/server/commands/command-help.js';
import { COMMANDS } from '../src/server/commands/commands.js';

const FILE = fileURLToPath(new URL('../docs/commands.md', import.meta.url));
const page = `# Commands

\`npx tollgate COMMAND\`. This page is what \`--help\` prints, which \`npm run generate\` puts here. An unknown flag is rejected with
the most similar known one, and nothing runs. What the settings of \`start\` and \`doctor\` mean is in
[configuration.md](configuration.md), what \`cost\` counts in [cost-model.md](cost-model.md), and the file of \`rules\` in
[admin-api.md](admin-api.md#policies-in-a-file).

\`\`\`text
${overviewHelp(COMMANDS)}\`\`\`

${COMMANDS.map((command) => `## \`tollgate ${command.name}\`\n\n\`\`\`text\n${commandHelp(command)}\`\`\`\n`).join('\n')}`;

const present = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
if (!process.argv.includes('--check')) writeFileSync(FILE, page);
else if (present !== page) {
  process.stderr.write('docs/commands.md is not what the code says: run npm run generate\n');
  process.exitCode = 1;
}
