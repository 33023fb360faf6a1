import type { OptionCheck } from './find-mistakes.js';
import { wholeNumber } from './option-kinds.js';

/** The environment variable and the flag by which a platform sets an option. */
export interface OptionSetting {
  readonly variable: string;
  readonly flag: string;
  /** The line of the help, without the default. */
  readonly says: string;
  /** The description in docs/configuration.md, Markdown. @default `says` */
  readonly docs?: string;
}

interface NumberDeclaration {
  readonly least: number;
  /** @default the largest whole number that is exact */
  readonly most?: number;
  readonly default: number;
  /** What the number counts, as administrators read it. */
  readonly unit: string;
  /** @default a platform does not set it */
  readonly setting?: OptionSetting;
}

/** A whole number that is an option of the library, and may be a setting of the platform too. */
export interface NumberOption extends OptionCheck<number>, Required<Omit<NumberDeclaration, 'setting'>> {}

/** The one declaration of such a number. All who check, read, default or show it take its bounds and default from here. */
export function defineNumber<const Declaration extends NumberDeclaration>(
  declaration: Declaration,
): NumberOption & Pick<Declaration, 'setting' & keyof Declaration> {
  const { least, most = Number.MAX_SAFE_INTEGER } = declaration;
  return { ...declaration, most, ...wholeNumber(least, most) };
}
