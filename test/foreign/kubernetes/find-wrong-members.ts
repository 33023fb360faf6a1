import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** An object of Kubernetes, as YAML or JSON contains it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
}

/** Packages with the types of objects whose group is not part of Kubernetes itself. */
const PACKAGES: Record<string, string> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

/**
 * Returns the mistakes of manifests according to the schemas of Kubernetes: missing, unknown and
 * wrong members. The compiler checks each manifest as a literal of the type that was generated from
 * the schema.
 */
export function findWrongMembers(manifests: readonly Manifest[]): string[] {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const file = join(folder, 'manifests.generated.ts');
  const lines = manifests.map((manifest, index) => {
    const { apiVersion, kind } = manifest;
    const [version, group] = apiVersion.split('/').reverse();
    const from = [group && PACKAGES[group] ? PACKAGES[group] : 'kubernetes-models', group, version, kind];
    const type = `import('${from.filter(Boolean).join('/')}').I${kind}`;
    return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)};`;
  });
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.ES2022) : read(name, ...rest);
  const exists = host.fileExists;
  host.fileExists = (name) => name === file || exists(name);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ start = 0, messageText, file: source }) => {
    const index = source?.fileName === file ? source.getLineAndCharacterOfPosition(start).line : undefined;
    const manifest = index === undefined ? undefined : manifests[index];
    const place = manifest ? `${manifest.kind} ${manifest.metadata.name}` : (source?.fileName ?? '');
    return `${place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
