import type { OptionCheck } from './check-options.js';
import { wholeNumber } from './option-kinds.js';

interface NumberDeclaration {
  readonly least: number;
  /** @default the largest whole number that is exact */
  readonly most?: number;
  readonly default: number;
  /** What the number counts, as administrators read it. */
  readonly unit: string;
}

/** A whole number that is an option of the library, and may be a setting of the platform too. */
export interface NumberOption extends OptionCheck<number>, Required<NumberDeclaration> {}

/** The one declaration of such a number. All who check, read, default or show it take its bounds and default from here. */
export function defineNumber(declaration: NumberDeclaration): NumberOption {
  const { least, most = Number.MAX_SAFE_INTEGER } = declaration;
  return { ...declaration, most, ...wholeNumber(least, most) };
}
