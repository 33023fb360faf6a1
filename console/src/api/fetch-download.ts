import { commonText } from '../text/common-text.js';
import { AdminError, errorOfAnswer } from './admin-error.js';
import { sessionIsLost } from './ask-admin.js';

/**
 * Fetches a file of the admin API by POST with JSON. The server accepts the session only in such a
 * request.
 * @throws AdminError
 */
export async function fetchDownload(
  path: string,
  parameters: Record<string, string>,
  { signal, onProgress }: { signal: AbortSignal; onProgress(bytes: number): void },
): Promise<Blob> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(parameters),
    signal,
  }).catch(asUnreachable);
  if (!response.ok || !response.body) {
    if (response.status === 401) sessionIsLost();
    const answer: unknown = await response.json().catch(() => null);
    throw errorOfAnswer(answer) ?? new AdminError('UNREACHABLE', commonText.error.status(response.status));
  }
  const chunks: BlobPart[] = [];
  let bytes = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(asUnreachable);
    if (done) return new Blob(chunks, { type: response.headers.get('content-type') ?? '' });
    chunks.push(value);
    bytes += value.length;
    onProgress(bytes);
  }
}

function asUnreachable(cause: unknown): never {
  throw new AdminError('UNREACHABLE', commonText.error.connectionLost, { cause });
}
