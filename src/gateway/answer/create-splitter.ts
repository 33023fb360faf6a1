import { createGrowingBytes } from './create-growing-bytes.js';

/** A section of an incremental response. All sections concatenated are the response. */
export interface Stretch {
  bytes: Buffer;
  /** Undefined for bytes between payloads. */
  payload?: Payload;
  /** Whether the response announces its end here. */
  isEnd?: boolean;
}

/** One JSON payload of an incremental response. */
interface Payload {
  text: string;
  /** Returns the bytes of the stretch with this text instead of its JSON. */
  withText(text: string): Buffer;
}

export interface Splitter {
  /** Adds a piece, and returns the stretches that it completes. */
  push(piece: Buffer): Stretch[];
  /** Bytes that are kept because their stretch is incomplete. */
  readonly rest: Buffer;
}

/**
 * Creates the splitter of a content type; returns undefined if responses of this type are not
 * incremental.
 */
export function createSplitter(contentType: string | undefined): Splitter | undefined {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType === 'text/event-stream') return createEventSplitter();
  if (mediaType === 'multipart/mixed') return createMultipartSplitter(boundaryOf(contentType!));
  return undefined;
}

/**
 * Returns the boundary of a multipart content type.
 * @default '-', as in the specification of GraphQL over HTTP for incremental delivery
 */
function boundaryOf(contentType: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  return quoted ?? bare ?? '-';
}

/**
 * Size in bytes above which a part is not checked for complete JSON. Such a part is complete when
 * its closing delimiter was received.
 */
const LOOK_BYTES = 64 * 1024;

/**
 * Creates a splitter for the parts of `multipart/mixed` (RFC 2046, 5.1). Some servers send the
 * delimiter of a part with the next part. The splitter therefore returns a part as soon as its JSON
 * is complete.
 */
function createMultipartSplitter(boundary: string): Splitter {
  const delimiter = Buffer.from(`--${boundary}`);
  const endOfBody = Buffer.from(`\n--${boundary}`);
  const bytes = createGrowingBytes();
  let state: 'between' | 'head' | 'body' | 'over' = 'between';
  /** Start of the body in `rest`. */
  let bodyAt = 0;
  /** Position up to which `rest` contains no delimiter. */
  let lookedAt = 0;

  function takePart(end: number): Stretch {
    const { all: rest } = bytes;
    state = 'between';
    const head = rest.toString('latin1', 0, bodyAt);
    const text = rest.toString('utf8', bodyAt, end);
    const withText = (other: string) => {
      const length = head.replace(/^content-length:[^\r\n]*/im, `Content-Length: ${Buffer.byteLength(other)}`);
      return Buffer.concat([Buffer.from(length, 'latin1'), Buffer.from(other)]);
    };
    return { bytes: bytes.take(end), payload: { text, withText } };
  }

  /** Returns the next stretch; undefined if it is not yet received completely. */
  function next(): Stretch | undefined {
    const { all: rest } = bytes;
    if (rest.length === 0) return undefined;
    if (state === 'over') return { bytes: bytes.take(rest.length), isEnd: true };
    if (state === 'between') {
      const at = rest.indexOf(delimiter);
      if (at < 0) return undefined;
      state = 'head';
      return { bytes: bytes.take(at + delimiter.length) };
    }
    if (state === 'head') {
      if (rest.length >= 2 && rest[0] === DASH && rest[1] === DASH) {
        state = 'over';
        return next();
      }
      const end = endOfHead(rest);
      if (end < 0) return undefined;
      state = 'body';
      bodyAt = end;
      lookedAt = end;
    }
    const at = rest.indexOf(endOfBody, Math.max(bodyAt - 1, lookedAt - endOfBody.length));
    lookedAt = rest.length;
    if (at >= 0) return takePart(rest[at - 1] === CARRIAGE_RETURN ? Math.max(bodyAt, at - 1) : Math.max(bodyAt, at));
    const end = endOfJson(rest);
    return end > bodyAt && end - bodyAt <= LOOK_BYTES && isJson(rest.toString('utf8', bodyAt, end))
      ? takePart(end)
      : undefined;
  }

  return {
    get rest() {
      return bytes.all;
    },
    push(piece) {
      bytes.add(piece);
      return all(next);
    },
  };
}

/**
 * Creates a splitter for the events of `text/event-stream` (HTML, 9.2). Events named `next`, and
 * events without a name, contain the payloads (GraphQL over SSE).
 */
function createEventSplitter(): Splitter {
  const kept = createGrowingBytes();
  let lookedAt = 0;

  function next(): Stretch | undefined {
    const { all: rest } = kept;
    const end = endOfEvent(rest, Math.max(0, lookedAt - 3));
    lookedAt = end < 0 ? rest.length : 0;
    if (end < 0) return undefined;
    const bytes = kept.take(end);
    const lines = bytes.toString().split(/\r\n|\n|\r/);
    const valuesOf = (field: string) =>
      lines.flatMap((line) => (line.startsWith(`${field}:`) ? line.slice(field.length + 1).replace(/^ /, '') : []));
    const data = valuesOf('data');
    const name = valuesOf('event').at(-1) ?? 'message';
    if (data.length === 0 || !PAYLOAD_EVENTS.has(name)) return { bytes, isEnd: name === 'complete' };
    const withText = (other: string) => {
      const others = lines.filter((line) => line !== '' && !line.startsWith('data:'));
      const dataLines = other.split('\n').map((line) => `data: ${line}`);
      return Buffer.from(`${[...others, ...dataLines].join('\n')}\n\n`);
    };
    return { bytes, payload: { text: data.join('\n'), withText } };
  }

  return {
    get rest() {
      return kept.all;
    },
    push(piece) {
      kept.add(piece);
      return all(next);
    },
  };
}

const DASH = 0x2d;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const CLOSING_BRACE = 0x7d;
const PAYLOAD_EVENTS = new Set(['next', 'message']);

function all(next: () => Stretch | undefined): Stretch[] {
  const stretches: Stretch[] = [];
  for (let stretch = next(); stretch; stretch = next()) stretches.push(stretch);
  return stretches;
}

/**
 * Returns the position after the empty line that ends the headers of a part. A part without headers
 * begins with that line.
 */
function endOfHead(bytes: Buffer): number {
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const to = bytes[at + 1] === CARRIAGE_RETURN ? at + 2 : at + 1;
    if (bytes[to] === LINE_FEED) return to + 1;
  }
  return -1;
}

/** Returns the position after the empty line that ends an event; -1 if there is none. */
function endOfEvent(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const end = endOfLine(bytes, at);
    const next = end < 0 ? -1 : endOfLine(bytes, end);
    if (next >= 0) return next;
  }
  return -1;
}

/** Returns the position after the line break at `at`; -1 if there is none at this position. */
function endOfLine(bytes: Buffer, at: number): number {
  if (bytes[at] === LINE_FEED) return at + 1;
  if (bytes[at] !== CARRIAGE_RETURN) return -1;
  return bytes[at + 1] === LINE_FEED ? at + 2 : at + 1;
}

/** Returns the position after a closing brace, if only white space follows it; otherwise -1. */
function endOfJson(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at >= 0 && (bytes[at] === 0x20 || bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN)) at--;
  return bytes[at] === CLOSING_BRACE ? at + 1 : -1;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
