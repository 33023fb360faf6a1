import type { TypedDocumentString } from '../generated/graphql.js';
import { commonText } from '../text/common-text.js';
import { AdminError, errorOfAnswer } from './admin-error.js';
import { here } from './here.js';
import { createEventReader } from './read-events.js';

export interface Listener<Result> {
  onOpen(): void;
  onData(data: Result): void;
}

/**
 * Subscribes until the subscription ends, the connection breaks, or the signal aborts.
 * @throws AdminError if the subscription cannot be opened
 */
export async function listen<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { onOpen, onData }: Listener<Result>,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(here.stream, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    credentials: 'same-origin',
    body: JSON.stringify({ query: document.toString(), variables }),
    signal,
  });
  if (!response.ok || !response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const answer: unknown = await response.json().catch(() => null);
    throw errorOfAnswer(answer) ?? new AdminError('UNREACHABLE', commonText.error.streamStatus(response.status));
  }
  onOpen();
  const read = createEventReader();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const { event, data } of read(value)) {
      if (event === 'complete') return;
      if (event !== 'next') continue;
      const answer = JSON.parse(data) as { data?: Result };
      const error = errorOfAnswer(answer);
      if (error) throw error;
      if (answer.data) onData(answer.data);
    }
  }
}
