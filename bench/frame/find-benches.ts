import { readdirSync } from 'node:fs';
import type { Bench } from './bench.js';

export interface FoundBench {
  name: string;
  /** URL from which a new process imports the benchmark. */
  url: string;
  bench: Bench;
}

const FOLDER = new URL('../', import.meta.url);

/** Returns the benchmarks with these names, or all benchmarks if `names` is empty. */
export async function findBenches(names: readonly string[]): Promise<FoundBench[]> {
  const known = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no bench is called ${unknown.join(', ')}; there are: ${known.join(', ')}`);
  const wanted = names.length > 0 ? names : known;
  return Promise.all(
    wanted.map(async (name) => {
      const { href: url } = new URL(`${name}.ts`, FOLDER);
      return { name, url, bench: await loadBench(url) };
    }),
  );
}

export async function loadBench(url: string): Promise<Bench> {
  const module: { bench?: Bench } = await import(url);
  if (!module.bench) throw new Error(`${url} exports no \`bench\`; helpers of benches belong in a folder`);
  return module.bench;
}
