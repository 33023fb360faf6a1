const MAX_LENGTH = 80;

/**
 * Describes a value for a message that expected another one. A string or a number is included in
 * the message. For an object, a list or a function, only the kind is included, because the content
 * may be secret.
 */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'undefined';
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
  if (typeof then === 'function') return 'a Promise: await it';
  const name = typeof maker === 'function' ? maker.name : '';
  return name === '' || name === 'Object' ? 'an object' : `an object of the class ${name}`;
}
