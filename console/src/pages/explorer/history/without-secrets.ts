import { type ASTNode, Kind, parse, print, visit } from 'graphql';

/** Names of arguments and variables whose values are secrets. */
const SECRET_NAME = /passw|passphrase|pwd|secret|token|credential|authorization|api_?key/i;

/** Values that are credentials, regardless of their name: JSON Web Tokens, and headers with a credential. */
const SECRET_VALUE = /^(eyJ[\w-]{8,}\.|(Bearer|Basic) )/;

/**
 * Returns an operation in which the values of passwords, tokens and keys are empty texts: in
 * literals of the document, and in the variables. Undefined if it cannot be read.
 */
export function withoutSecrets<Operation extends { query: string; variables: string }>(
  operation: Operation,
): Operation | undefined {
  try {
    const variables = operation.variables.trim() === '' ? {} : (JSON.parse(operation.variables) as object);
    const secretVariables = new Set<string>();
    const query = documentWithoutSecrets(operation.query, secretVariables);
    const safe = valueWithoutSecrets(variables, (name) => secretVariables.has(name) || SECRET_NAME.test(name));
    // Unchanged variables keep the form in which the user has written them.
    const isUnchanged = JSON.stringify(safe) === JSON.stringify(variables);
    return { ...operation, query, variables: isUnchanged ? operation.variables : JSON.stringify(safe, null, 2) };
  } catch {
    return undefined;
  }
}

/**
 * Empties the secret literals. Adds the variables that arguments with a secret name use, because
 * their own names may be any.
 */
function documentWithoutSecrets(query: string, secretVariables: Set<string>): string {
  let isChanged = false;
  const empty = { kind: Kind.STRING, value: '' } as const;
  const inSecret = (node: ASTNode): unknown =>
    visit(node, {
      StringValue(value) {
        if (value.value === '') return undefined;
        isChanged = true;
        return empty;
      },
      Variable({ name }) {
        secretVariables.add(name.value);
      },
    });
  const ofName = (node: ASTNode & { name: { value: string } }) =>
    SECRET_NAME.test(node.name.value) ? inSecret(node) : undefined;
  const document = visit(parse(query), {
    Argument: ofName,
    ObjectField: ofName,
    VariableDefinition: (node) => (SECRET_NAME.test(node.variable.name.value) ? inSecret(node) : undefined),
    StringValue(value) {
      if (!SECRET_VALUE.test(value.value)) return undefined;
      isChanged = true;
      return empty;
    },
  });
  return isChanged ? print(document) : query;
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

/** Returns a value whose texts are empty. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(emptied);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, emptied(one)]));
  return typeof value === 'string' ? '' : value;
}
