import { z } from 'zod';
import type { Flag, Flags } from './command-line.js';

/** A setting of `tollgate start`: what its variable says, and its flag. */
export interface SettingDeclaration extends Pick<Flag, 'value' | 'says'> {
  /** @default it has a variable alone */
  readonly flag?: string;
  /** Reads its text, checks it and says its default, which help is told from. */
  readonly reads: z.ZodType;
}

/** What reads all of them at once. */
export function schemaOf<Settings extends Readonly<Record<string, SettingDeclaration>>>(settings: Settings) {
  const readers = Object.entries(settings).map(([variable, { reads }]) => [variable, reads]);
  return z.object(Object.fromEntries(readers) as { -readonly [Name in keyof Settings]: Settings[Name]['reads'] });
}

export function flagsOf(settings: Readonly<Record<string, SettingDeclaration>>): Flags {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([variable, setting]) => {
      const { flag, value } = setting;
      return flag === undefined ? [] : [[flag, { ...(value && { value }), says: withDefault(setting), variable }]];
    }),
  );
}

export function variablesOf(settings: Readonly<Record<string, SettingDeclaration>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([variable, setting]) =>
      setting.flag === undefined ? [[variable, withDefault(setting)]] : [],
    ),
  );
}

/** What is off or empty by default needs no words, and some say their default in words of their own. */
function withDefault({ says, reads }: SettingDeclaration): string {
  const byDefault = reads.safeParse(undefined).data;
  const text = byDefault === undefined || byDefault === false ? '' : String(byDefault);
  return text === '' || says.includes('(default') ? says : `${says} (default ${text})`;
}
