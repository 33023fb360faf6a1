/**
 * Whether a subject is among the first `percent` of a rule's rollout. Stable in rule and subject, and nested: whoever is
 * in at 10 % is in at 20 % too.
 */
export function inRollout(ruleId: string, root: string, percent: number): boolean {
  if (percent >= 100) return true;
  return hash32(`${ruleId}\u0000${root}`) < (percent / 100) * 2 ** 32;
}

/** FNV-1a over UTF-16 units, with the finaliser of MurmurHash3, so that similar texts land far apart. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
