const MAX_LENGTH = 80;

/**
 * What came where something else was expected, for a message: a text and a number as they are, of anything larger only what it
 * is, as it may hold secrets.
 */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'nothing';
    case 'string': {
      const text = JSON.stringify(value);
      return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 3)}...` : text;
    }
    case 'function':
      return /^class\b/.test(Function.prototype.toString.call(value)) ? `the class ${value.name}` : 'a function';
    case 'object':
      return value === null ? 'null' : describeObject(value);
    default:
      return String(value);
  }
}

function describeObject(value: object): string {
  if (Array.isArray(value)) return 'a list';
  const { then, constructor: maker } = value as { then?: unknown; constructor?: unknown };
  if (typeof then === 'function') return 'a Promise, which has to be awaited';
  const name = typeof maker === 'function' ? maker.name : '';
  return name === '' || name === 'Object' ? 'an object' : `an object of the class ${name}`;
}
