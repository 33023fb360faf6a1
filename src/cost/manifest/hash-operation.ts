/**
 * Returns the hash that identifies an operation in a manifest. Clients may send the same operation
 * in different forms. The hash therefore ignores whitespace, comments, the order of definitions,
 * other operations and unused fragments. It also ignores `__typename`, which is free and which
 * client caches add. `tollgate cost --manifest` and `tollgate-client` use this hash.
 * @returns undefined if there is no such operation, or more than one
 */
export function hashOperation(document: string, operationName?: string | null): string | undefined {
  const operations: string[][] = [];
  const fragments = new Map<string, string[]>();
  for (const definition of definitionsOf(document)) {
    const [keyword, name] = definition;
    if (keyword === 'fragment') fragments.set(name!, definition);
    else if (operationName === undefined || operationName === null || name === operationName) {
      // `query { a }` and `{ a }` are the same operation.
      operations.push(keyword === 'query' && name === '{' ? definition.slice(1) : definition);
    }
  }
  const [operation] = operations;
  if (operation === undefined || operations.length > 1) return undefined;
  const used = new Set([operation]);
  for (const definition of used) {
    definition.forEach((token, at) => {
      const fragment = definition[at - 1] === '...' ? fragments.get(token) : undefined;
      if (fragment) used.add(fragment);
    });
  }
  const [first, ...others] = [...used].map((definition) => definition.join(' '));
  const text = [first, ...others.sort()].join('\n');
  return half(text, 0x811c9dc5) + half(text, 0x9747b28c);
}

const TOKEN = /"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n])*"|#.*|[\s,\uFEFF]+|\.\.\.|\w+|-?\d[\w.+-]*|[\s\S]/g;

function definitionsOf(document: string): string[][] {
  const tokens = (document.match(TOKEN) ?? []).filter((token) => !/^[\s,\uFEFF#]/.test(token));
  const definitions: string[][] = [];
  let open: string[] = [];
  let depth = 0;
  tokens.forEach((token, at) => {
    if (token === '__typename' && !/^[:$@]$/.test(tokens[at - 1]!) && !/^[:@]$/.test(tokens[at + 1]!)) return;
    open.push(token);
    if (/^[{([]$/.test(token)) depth++;
    else if (/^[})\]]$/.test(token)) depth--;
    if (depth === 0 && token === '}') {
      definitions.push(open);
      open = [];
    }
  });
  return definitions;
}

/**
 * Returns the 32-bit FNV-1a hash of a text. A collision would only cause a wrong price until the
 * first response, so a slower hash is not needed.
 */
function half(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
