import {
  type ArgumentNode,
  type ASTNode,
  type DocumentNode,
  Kind,
  type ObjectFieldNode,
  parse,
  print,
  type StringValueNode,
  visit,
} from 'graphql';

/** Names of arguments and variables whose values are secrets. */
const SECRET_NAME = /pass(word|wd|phrase)|pwd|secret|token|credential|authorization|api_?key/i;

/**
 * Values that are credentials, regardless of their name: JSON Web Tokens, and headers with a
 * credential.
 */
const SECRET_VALUE = /^(eyJ[\w-]{8,}\.|(Bearer|Basic) )/;

/**
 * Returns an operation in which the values of passwords, tokens and keys are empty strings: in
 * literals of the document, and in the variables. Undefined if it cannot be read.
 */
export function withoutSecrets<Operation extends { query: string; variables: string }>(
  operation: Operation,
): Operation | undefined {
  try {
    const variables = operation.variables.trim() === '' ? {} : (JSON.parse(operation.variables) as object);
    const document = parse(operation.query);
    const secretVariables = secretVariablesOf(document);
    const query = queryWithoutSecrets(operation.query, document, secretVariables);
    const safe = valueWithoutSecrets(variables, (name) => secretVariables.has(name) || SECRET_NAME.test(name));
    // Unchanged variables keep the form in which the user has written them.
    const isUnchanged = JSON.stringify(safe) === JSON.stringify(variables);
    return { ...operation, query, variables: isUnchanged ? operation.variables : JSON.stringify(safe, null, 2) };
  } catch {
    return undefined;
  }
}

/** Returns the variables that arguments with a secret name use, whatever the variables' names. */
function secretVariablesOf(document: DocumentNode): ReadonlySet<string> {
  const found = new Set<string>();
  const inSecret = (node: ArgumentNode | ObjectFieldNode): void => {
    if (!SECRET_NAME.test(node.name.value)) return;
    visit(node, { Variable: ({ name }) => void found.add(name.value) });
  };
  visit(document, { Argument: inSecret, ObjectField: inSecret });
  return found;
}

/** Returns the text of the document with empty strings in place of secrets. */
function queryWithoutSecrets(query: string, document: DocumentNode, secretVariables: ReadonlySet<string>): string {
  let isChanged = false;
  const empty = ({ value }: StringValueNode) => {
    if (value === '') return undefined;
    isChanged = true;
    return { kind: Kind.STRING, value: '' } as const;
  };
  const inSecret = <Node extends ASTNode>(node: Node): Node => visit(node, { StringValue: empty });
  const ofName = <Node extends ArgumentNode | ObjectFieldNode>(node: Node) =>
    SECRET_NAME.test(node.name.value) ? inSecret(node) : undefined;
  const safe = visit(document, {
    Argument: ofName,
    ObjectField: ofName,
    VariableDefinition(node) {
      const name = node.variable.name.value;
      return SECRET_NAME.test(name) || secretVariables.has(name) ? inSecret(node) : undefined;
    },
    StringValue: (node) => (SECRET_VALUE.test(node.value) ? empty(node) : undefined),
  });
  return isChanged ? print(safe) : query;
}

function valueWithoutSecrets(value: unknown, isSecret: (name: string) => boolean): unknown {
  if (typeof value === 'string') return SECRET_VALUE.test(value) ? '' : value;
  if (Array.isArray(value)) return value.map((one) => valueWithoutSecrets(one, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isSecret(name) ? emptied(one) : valueWithoutSecrets(one, isSecret),
    ]),
  );
}

/** Returns a value of the same structure in which all strings are empty. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(emptied);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, emptied(one)]));
  return typeof value === 'string' ? '' : value;
}
