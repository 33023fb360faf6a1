import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClientSchema, buildSchema, type GraphQLSchema, type IntrospectionQuery } from 'graphql';

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/public-schemas/', import.meta.url));

/** Reads a schema from the tarball of an npm package, without installing its dependencies. */
export function readPackedSchema(packageAndVersion: string, file: string): GraphQLSchema {
  const folder = join(CACHE, packageAndVersion.replace(/[@/]/g, '_'));
  const path = join(folder, basename(file));
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const args = ['pack', packageAndVersion, '--pack-destination', folder, '--silent'];
    const tarball = execFileSync('npm', args, { encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', join(folder, tarball), '-C', folder, '--strip-components=1', `package/${file}`]);
    const extracted = join(folder, file);
    if (extracted !== path) execFileSync('mv', [extracted, path]);
  }
  const text = readFileSync(path, 'utf8');
  // Some vendors declare fields twice, or use directives that they do not define.
  if (!file.endsWith('.json')) return buildSchema(text, { assumeValidSDL: true });
  const json = JSON.parse(text) as { data?: IntrospectionQuery } & IntrospectionQuery;
  return buildClientSchema(json.data ?? json);
}
