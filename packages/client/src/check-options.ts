/**
 * Returns undefined if the value of an option is valid, otherwise a description of the expected
 * values.
 */
type Check = (value: unknown) => string | undefined;

export const callback: Check = (value) => (typeof value === 'function' ? undefined : 'a function');
export const numberFrom =
  (least: number): Check =>
  (value) =>
    typeof value === 'number' && value >= least ? undefined : `a number of ${least} or more`;

const OF_PACERS: Readonly<Record<string, Check>> = {
  maxQueue: numberFrom(0),
  maxWaitMs: numberFrom(0),
  maxProbes: numberFrom(1),
  onEvent: callback,
  now: callback,
  setTimer: callback,
  random: callback,
};
const OF_ADAPTERS: Readonly<Record<string, Check>> = {
  pacer: (value) =>
    typeof (value as { admit?: unknown } | null)?.admit === 'function' ? undefined : 'a pacer from createPacer',
  read: callback,
  priceOf: callback,
  priorityOf: callback,
};

/**
 * Checks options by name.
 * @throws TypeError that lists every mistake
 */
export function checkOptions(functionName: string, options: object, checks: Readonly<Record<string, Check>>): void {
  throwMistakes(functionName, findMistakes(options, checks));
}

/**
 * Checks the options of a pacer.
 * @throws TypeError that lists every mistake. Unknown option names are mistakes, because they would
 * have no effect
 */
export function checkPacerOptions(options: object): void {
  throwMistakes('createPacer', findMistakes(options, OF_PACERS));
}

/**
 * Checks the options of an adapter, including those of its pacer.
 * @throws TypeError that lists every mistake in the options
 */
export function checkAdapterOptions(functionName: string, options: object): void {
  const mistakes = findMistakes(options, { ...OF_PACERS, ...OF_ADAPTERS });
  const { pacer } = (options ?? {}) as { pacer?: unknown };
  if (pacer !== undefined) {
    const unread = Object.keys(OF_PACERS).filter((name) => (options as Record<string, unknown>)[name] !== undefined);
    mistakes.push(...unread.map((name) => `${name}: pass it to the pacer instead: createPacer({ ${name} })`));
  }
  throwMistakes(functionName, mistakes);
}

/** Returns the options that belong to the pacer. */
export function pacerOptionsOf<Options extends object>(options: Options): Partial<Options> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => name in OF_PACERS)) as Partial<Options>;
}

function findMistakes(options: unknown, checks: Readonly<Record<string, Check>>): string[] {
  if (typeof options !== 'object' || options === null) return [`options: expected an object, got ${kindOf(options)}`];
  return Object.entries(options).flatMap(([name, value]) => {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) return `${name}: unknown option; the options are ${Object.keys(checks).join(', ')}`;
    const expected = value === undefined ? undefined : check(value);
    return expected === undefined ? [] : `${name}: expected ${expected}, got ${kindOf(value)}`;
  });
}

function throwMistakes(functionName: string, mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new TypeError(`${functionName}: ${mistakes.join('; ')}`);
}

/**
 * Describes a value for an error message. A number is shown as its value, because `-1` is more
 * informative than `a number`.
 */
export function kindOf(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
