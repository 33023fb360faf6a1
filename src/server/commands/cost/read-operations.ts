import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  Source,
  validate,
  visit,
} from 'graphql';
import { didYouMean } from '../../../options/nearest-name.js';
import { reasonOf, UsageError } from '../read-text.js';
import { readDocuments } from './read-documents.js';

interface ReadOperationsOptions {
  /** Files, folders, or texts of operations. */
  queries: readonly string[];
  schema: GraphQLSchema;
  /** Name of the operation to read. @default all of them */
  operationName: string | undefined;
}

/** An operation in a separate document that also contains the fragments it uses. */
export interface ReadOperation {
  file: string;
  /** Null if it has no name. */
  name: string | null;
  line: number;
  document: DocumentNode;
}

/** Reason why an operation cannot be priced or its price is uncertain, as `FILE:LINE: MESSAGE`. */
export type OperationProblem = string;

/**
 * Reads the operations of all files, each into its own document, so that an invalid operation does
 * not affect the others. A fragment may be defined in another file, which is common in client
 * projects.
 * @throws UsageError if there is no such operation, and no mistake in a file that could be the
 * reason
 */
export function readOperations({ queries, schema, operationName }: ReadOperationsOptions): {
  operations: ReadOperation[];
  problems: OperationProblem[];
} {
  if (queries.length === 0) throw new UsageError('--query: expected at least one file of operations, got none');
  const problems = new Set<OperationProblem>();
  const files = queries.flatMap((query, at) =>
    readSources(query, at + 1, problems).flatMap((source) => parseSource(source, problems)),
  );
  const fragments = createFragmentFinder(files);
  const used = new Set<FragmentDefinitionNode>();
  const found = files.flatMap(({ file, operations }) => {
    for (const problem of problemsOfNames(file, 'operation', operations)) problems.add(problem);
    return operations.map((operation) => {
      const ownFragments = fragments.usedBy(operation, file, problems);
      for (const fragment of ownFragments) used.add(fragment);
      const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...ownFragments] };
      return { file, name: operation.name?.value ?? null, line: lineOf(operation), document };
    });
  });
  for (const { file, fragments: defined } of files) {
    for (const problem of problemsOfNames(file, 'fragment', defined)) problems.add(problem);
    for (const fragment of defined) {
      // A second fragment of the same name has already been reported.
      if (used.has(fragment) || fragments.first(file, fragment.name.value) !== fragment) continue;
      problems.add(`${file}:${lineOf(fragment)}: Fragment "${fragment.name.value}" is never used.`);
    }
  }
  const wanted = found.filter(({ name }) => operationName === undefined || name === operationName);
  if (wanted.length === 0 && problems.size === 0) throw new UsageError(whatIsMissing(queries, found, operationName));
  const operations = wanted.filter(({ document }) => {
    const errors = validate(schema, document);
    for (const error of errors) problems.add(describe(error));
    return errors.length === 0;
  });
  return { operations, problems: [...problems] };
}

interface ParsedFile {
  file: string;
  operations: OperationDefinitionNode[];
  fragments: FragmentDefinitionNode[];
}

function parseSource(source: Source, problems: Set<OperationProblem>): ParsedFile[] {
  try {
    const { definitions } = parse(source);
    const stray = definitions.find(
      (one) => one.kind !== Kind.OPERATION_DEFINITION && one.kind !== Kind.FRAGMENT_DEFINITION,
    );
    if (stray)
      problems.add(
        `${source.name}:${stray.loc?.startToken.line}: expected operations and fragments, got schema definitions`,
      );
    return [
      {
        file: source.name,
        operations: definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION),
        fragments: definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION),
      },
    ];
  } catch (error) {
    problems.add(error instanceof GraphQLError ? describe(error) : reasonOf(error));
    return [];
  }
}

function readSources(query: string, number: number, problems: Set<OperationProblem>): Source[] {
  try {
    return readDocuments(query, number);
  } catch (error) {
    problems.add(reasonOf(error));
    return [];
  }
}

/** Describes an error with the file and line of the mistake, which may be those of a fragment. */
function describe(error: GraphQLError): OperationProblem {
  return `${error.source?.name ?? ''}:${error.locations?.[0]?.line ?? 1}: ${error.message}`;
}

function* problemsOfNames(
  file: string,
  kind: 'operation' | 'fragment',
  definitions: readonly (OperationDefinitionNode | FragmentDefinitionNode)[],
): Iterable<OperationProblem> {
  const firstLines = new Map<string, number>();
  for (const definition of definitions) {
    const name = definition.name?.value;
    const line = lineOf(definition);
    if (name === undefined) {
      if (definitions.length > 1)
        yield `${file}:${line}: an operation without a name must be the only operation of its file`;
      continue;
    }
    const firstLine = firstLines.get(name);
    if (firstLine === undefined) firstLines.set(name, line);
    else {
      const counts = kind === 'fragment' ? ', and is the one that is used' : '';
      yield `${file}:${line}: There can be only one ${kind} named "${name}"; the first is in line ${firstLine}${counts}`;
    }
  }
}

/**
 * Creates a finder of the fragments that an operation uses. It searches the operation's own file
 * first, then the others.
 */
function createFragmentFinder(files: readonly ParsedFile[]) {
  // A file of code has several documents, which share its fragments.
  const byFile = new Map(files.map(({ file }) => [file, new Map<string, FragmentDefinitionNode>()]));
  const everywhere = new Map<string, { file: string; fragment: FragmentDefinitionNode }[]>();
  for (const { file, fragments } of files) {
    for (const fragment of fragments) {
      const name = fragment.name.value;
      const own = byFile.get(file)!;
      if (own.has(name)) continue;
      own.set(name, fragment);
      everywhere.set(name, [...(everywhere.get(name) ?? []), { file, fragment }]);
    }
  }

  function find(name: string, file: string, problems: Set<OperationProblem>) {
    const own = byFile.get(file)?.get(name);
    if (own) return { file, fragment: own };
    const [first, ...others] = everywhere.get(name) ?? [];
    const different = others.find(({ fragment }) => print(fragment) !== print(first!.fragment));
    if (first && different) {
      const [here, there] = [first, different].map((one) => `${one.file}:${lineOf(one.fragment)}`);
      problems.add(`${there}: fragment "${name}" has another definition in ${here}, and ${file} uses that definition`);
    }
    return first;
  }

  return {
    first: (file: string, name: string) => byFile.get(file)?.get(name),

    usedBy(operation: OperationDefinitionNode, file: string, problems: Set<OperationProblem>) {
      const found = new Map<string, FragmentDefinitionNode>();
      const collect = (node: OperationDefinitionNode | FragmentDefinitionNode, place: string): void => {
        visit(node, {
          FragmentSpread({ name: { value: name } }) {
            if (found.has(name)) return;
            const known = find(name, place, problems);
            if (!known) return; // Validation reports it.
            found.set(name, known.fragment);
            collect(known.fragment, known.file);
          },
        });
      };
      collect(operation, file);
      return [...found.values()];
    },
  };
}

function lineOf(definition: OperationDefinitionNode | FragmentDefinitionNode): number {
  return definition.loc?.startToken.line ?? 1;
}

function whatIsMissing(
  queries: readonly string[],
  found: readonly ReadOperation[],
  wanted: string | undefined,
): string {
  if (wanted === undefined) return `--query: no operation found in ${queries.join(', ')}`;
  const names = found.flatMap(({ name }) => name ?? []);
  return `--query: no operation named ${wanted} in ${queries.join(', ')}${didYouMean(wanted, names)}`;
}
