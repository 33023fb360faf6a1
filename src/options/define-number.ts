import type { OptionCheck } from './find-mistakes.js';
import { wholeNumber } from './option-kinds.js';

/** Environment variable and command-line flag of a platform setting. */
export interface OptionSetting {
  readonly variable: string;
  readonly flag: string;
  /** Description in the help text, without the default. */
  readonly description: string;
  /** Description in docs/configuration.md, in Markdown. @default `description` */
  readonly docs?: string;
}

interface NumberDeclaration {
  readonly least: number;
  /** Largest allowed value. @default the largest whole number that is exact */
  readonly most?: number;
  readonly default: number;
  /** Unit of the number, which administrators see. */
  readonly unit: string;
  /** Setting of the platform for the option. @default the platform has no setting for it */
  readonly setting?: OptionSetting;
}

/** Option of the library that is a whole number. It may be a setting of the platform too. */
export interface NumberOption extends OptionCheck<number>, Required<Omit<NumberDeclaration, 'setting'>> {}

/**
 * Declares a numeric option. All code that checks, reads or shows the option uses the bounds and
 * the default of this declaration.
 */
export function defineNumber<const Declaration extends NumberDeclaration>(
  declaration: Declaration,
): NumberOption & Pick<Declaration, 'setting' & keyof Declaration> {
  const { least, most = Number.MAX_SAFE_INTEGER } = declaration;
  return { ...declaration, most, ...wholeNumber(least, most) };
}
