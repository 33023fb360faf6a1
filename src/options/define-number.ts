import type { OptionCheck } from './find-mistakes.js';
import { wholeNumber } from './option-kinds.js';

/** Environment variable and flag that set an option of the platform. */
export interface OptionSetting {
  readonly variable: string;
  readonly flag: string;
  /** Line of the help text, without the default. */
  readonly description: string;
  /** Description in docs/configuration.md, in Markdown. @default `description` */
  readonly docs?: string;
}

interface NumberDeclaration {
  readonly least: number;
  /** Largest allowed value. @default the largest whole number that is exact */
  readonly most?: number;
  readonly default: number;
  /** Unit of the number, as shown to administrators. */
  readonly unit: string;
  /** Setting of the platform for the option. @default a platform does not set it */
  readonly setting?: OptionSetting;
}

/** A whole number that is an option of the library, and may be a setting of the platform too. */
export interface NumberOption extends OptionCheck<number>, Required<Omit<NumberDeclaration, 'setting'>> {}

/**
 * Declares such a number, in one place. All code that checks, reads, shows or defaults it takes its
 * bounds and default from here.
 */
export function defineNumber<const Declaration extends NumberDeclaration>(
  declaration: Declaration,
): NumberOption & Pick<Declaration, 'setting' & keyof Declaration> {
  const { least, most = Number.MAX_SAFE_INTEGER } = declaration;
  return { ...declaration, most, ...wholeNumber(least, most) };
}
