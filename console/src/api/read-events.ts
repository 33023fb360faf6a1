/** One event of a stream of server-sent events. */
export interface StreamEvent {
  event: string;
  data: string;
}

/**
 * Creates a parser of server-sent events that reads the stream chunk by chunk. It ignores comments
 * and all fields other than `event` and `data`. Source of the format:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function createEventReader(): (chunk: string) => StreamEvent[] {
  let rest = '';
  let event = '';
  let data: string[] = [];

  return (chunk) => {
    const events: StreamEvent[] = [];
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (event !== '' || data.length > 0) events.push({ event: event || 'message', data: data.join('\n') });
        event = '';
        data = [];
        continue;
      }
      const [, name, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === 'event') event = value ?? '';
      if (name === 'data') data.push(value ?? '');
    }
    return events;
  };
}
