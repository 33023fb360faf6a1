import type { ASTNode } from 'graphql';

/** Warning about a mistake in a schema that is used nevertheless. */
export interface SchemaWarning {
  /** Name of the file. Undefined if the schema was not read from a file. */
  file: string | undefined;
  line: number;
  message: string;
}

/** Returns a warning at the position of a node. */
export function warningAt(node: ASTNode, message: string): SchemaWarning {
  const { source, startToken } = node.loc ?? {};
  return { file: source?.name, line: startToken?.line ?? 1, message };
}
