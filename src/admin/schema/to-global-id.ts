/** What has an id of its own in the admin API. */
type NodeKind = 'Tier' | 'Rule' | 'Subject' | 'ApiKey' | 'AdminToken' | 'ConsoleSession' | 'Change';

/** An id that says nothing to callers, unique over all kinds. */
export function toGlobalId(kind: NodeKind, key: string | number): string {
  return Buffer.from(`${kind}:${key}`).toString('base64url');
}

/** What an id stands for; undefined for what is none. */
export function parseGlobalId(id: string): { kind: NodeKind; key: string } | undefined {
  const [, kind, key] =
    /^(Tier|Rule|Subject|ApiKey|AdminToken|ConsoleSession|Change):(.+)$/s.exec(
      Buffer.from(id, 'base64url').toString(),
    ) ?? [];
  return kind === undefined || key === undefined ? undefined : { kind: kind as NodeKind, key };
}

/** The key of an id of this kind; for any other text one that no object has. */
export function keyOf(kind: NodeKind, id: string): string {
  const parsed = parseGlobalId(id);
  return parsed?.kind === kind ? parsed.key : '';
}

/** The same where keys are numbers: none has 0. */
export function numberOf(kind: NodeKind, id: string): number {
  const key = keyOf(kind, id);
  return /^[1-9]\d{0,15}$/.test(key) ? Number(key) : 0;
}
