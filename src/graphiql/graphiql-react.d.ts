/**
 * The parts of GraphiQL 5 that this plugin uses. Tollgate does not depend on the package, because
 * it includes an editor of 90 MB that only pages with GraphiQL need.
 */
declare module '@graphiql/react' {
  interface Editor {
    getValue(): string;
    onDidChangeModelContent(listener: () => void): { dispose(): void };
  }
  interface State {
    queryEditor?: Editor | undefined;
    variableEditor?: Editor | undefined;
    headerEditor?: Editor | undefined;
    operationName?: string | undefined;
    overrideOperationName: string | null;
    fetcher(
      parameters: { query: string; variables?: unknown; operationName?: string | null },
      options?: { headers?: Record<string, string> },
    ): unknown;
  }
  export function useGraphiQL<T>(select: (state: State) => T): T;
}
