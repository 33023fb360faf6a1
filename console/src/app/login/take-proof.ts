/** The one-time code of a login link, and the URL without it. */
export interface TakenProof {
  code: string | undefined;
  /** Path, query and fragment that may stay in the address bar and in the history. */
  address: string;
}

/** Extracts a one-time code from the fragment of a URL, `#code=...`, or from its query. */
export function takeProof(href: string): TakenProof {
  const url = new URL(href);
  const fragment = new URLSearchParams(url.hash.slice(1));
  const code = fragment.get('code') ?? url.searchParams.get('code') ?? undefined;
  if (code === undefined) return { code, address: url.pathname + url.search + url.hash };
  fragment.delete('code');
  url.searchParams.delete('code');
  url.hash = fragment.toString();
  return { code: code || undefined, address: url.pathname + url.search + url.hash };
}
