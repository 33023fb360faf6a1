import type { ASTNode } from 'graphql';

/** A doubtful place in a schema that was read all the same. */
export interface SchemaWarning {
  /** Name of the file, if the schema was read from one. */
  file: string | undefined;
  line: number;
  message: string;
}

export function warningAt(node: ASTNode, message: string): SchemaWarning {
  const { source, startToken } = node.loc ?? {};
  return { file: source?.name, line: startToken?.line ?? 1, message };
}
