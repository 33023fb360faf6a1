const MAX_LENGTH = 80;

/**
 * Describes a value for a message about another expected one. A text or a number appears as it is.
 * Of anything larger, only the kind appears, because it may contain secrets.
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
