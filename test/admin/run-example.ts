import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import ts from 'typescript';

/** Modules that examples import, by the names that users import. */
export type Modules = Record<string, () => Promise<object>>;

/**
 * Runs an example of the documentation unchanged, except for a free port. Resolves to the values
 * that it defines.
 * @param given values that the text around the example defines
 */
export async function runExample(
  example: string,
  { modules, given, defines }: { modules: Modules; given: Record<string, unknown>; defines: readonly string[] },
): Promise<Record<string, unknown>> {
  const source = ts
    .transpileModule(example, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } })
    .outputText.replace(/^import (\w+) from '(.*)';$/gm, "const { default: $1 } = await load('$2');")
    .replace(/^import (\{.*\}) from '(.*)';$/gm, "const $1 = await load('$2');")
    .replace(/\b4000\b/g, '0');
  const load = (name: string) => {
    const module = modules[name];
    if (!module) throw new Error(`The example imports ${name}`);
    return module();
  };
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor;
  const names = ['load', ...Object.keys(given)];
  const run = new AsyncFunction(...names, `${source}\nreturn { ${defines.join(', ')} };`);
  return run(load, ...Object.values(given));
}

export async function portOf(server: Server): Promise<number> {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}
