/** Types of the admin API that have an id. */
type NodeKind = 'Tier' | 'Rule' | 'Subject' | 'ApiKey' | 'AdminToken' | 'ConsoleSession' | 'Change' | 'DocumentVersion';

/** Returns an opaque id that is unique across all types. */
export function toGlobalId(kind: NodeKind, key: string | number): string {
  return Buffer.from(`${kind}:${key}`).toString('base64url');
}

/** Returns the type and key of an id. Undefined for a text that is not an id. */
export function parseGlobalId(id: string): { kind: NodeKind; key: string } | undefined {
  const [, kind, key] =
    /^(Tier|Rule|Subject|ApiKey|AdminToken|ConsoleSession|Change|DocumentVersion):(.+)$/s.exec(
      Buffer.from(id, 'base64url').toString(),
    ) ?? [];
  return kind === undefined || key === undefined ? undefined : { kind: kind as NodeKind, key };
}

/**
 * Returns the key of an id of this type. For any other text, it returns a key that no object has.
 */
export function keyOf(kind: NodeKind, id: string): string {
  const parsed = parseGlobalId(id);
  return parsed?.kind === kind ? parsed.key : '';
}

/**
 * Returns the numeric key of an id of this type. For any other text, it returns 0, which no object
 * has.
 */
export function numberOf(kind: NodeKind, id: string): number {
  const key = keyOf(kind, id);
  return /^[1-9]\d{0,15}$/.test(key) ? Number(key) : 0;
}
