import { z } from 'zod';
import type { NumberOption, OptionSetting } from '../../options/define-number.js';
import type { Flag, Flags } from './read-command-line.js';
import { numberOf } from './settings.js';

/** Declaration of a setting of `tollgate start`, stored under the name of its variable. */
export interface SettingDeclaration extends Pick<Flag, 'value' | 'description'> {
  /** Name of the flag. @default none: the setting has only a variable */
  readonly flag?: string;
  /**
   * Parses and checks the text of the setting. It also defines the default, which the help shows.
   */
  readonly reads: z.ZodType;
  /** Description in docs/configuration.md, as Markdown. @default `description` */
  readonly docs?: string;
  /**
   * Default in docs/configuration.md, as Markdown, if it depends on other settings.
   * @default the default that `reads` defines
   */
  readonly defaultText?: string;
}

type OptionsWithSettings = Readonly<Record<string, NumberOption & { readonly setting: OptionSetting }>>;

/** The settings of options, by variable. */
type SettingsOf<Options extends OptionsWithSettings> = {
  readonly [Name in keyof Options as Options[Name]['setting']['variable']]: SettingDeclaration & {
    readonly reads: ReturnType<typeof numberOf>;
  };
};

/** Returns the declarations of the settings of numeric options, by variable. */
export function settingsOf<Options extends OptionsWithSettings>(options: Options): SettingsOf<Options> {
  return Object.fromEntries(
    Object.values(options).map(({ setting: { variable, ...setting }, ...option }) => [
      variable,
      { reads: numberOf(option), value: 'N', ...setting },
    ]),
  ) as unknown as SettingsOf<Options>;
}

/** Returns the options with the values of their settings. */
export function optionsFrom<Options extends OptionsWithSettings>(
  options: Options,
  values: { readonly [Variable in keyof SettingsOf<Options>]: number },
): { [Name in keyof Options]: number } {
  const read = values as Readonly<Record<string, number>>;
  return Object.fromEntries(Object.entries(options).map(([name, { setting }]) => [name, read[setting.variable]])) as {
    [Name in keyof Options]: number;
  };
}

/** Returns the schema that parses all settings together. */
export function schemaOf<Settings extends Readonly<Record<string, SettingDeclaration>>>(settings: Settings) {
  const readers = Object.entries(settings).map(([variable, { reads }]) => [variable, reads]);
  return z.object(Object.fromEntries(readers) as { -readonly [Name in keyof Settings]: Settings[Name]['reads'] });
}

/** Returns the flags of the settings that have one, by the name of the flag. */
export function flagsOf(settings: Readonly<Record<string, SettingDeclaration>>): Flags {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([variable, setting]) => {
      const { flag, value } = setting;
      return flag === undefined
        ? []
        : [[flag, { ...(value && { value }), description: withDefault(setting), variable }]];
    }),
  );
}

/** Returns the flags without those of these names. */
export function flagsWithout(flags: Flags, names: readonly string[]): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => !names.includes(name)));
}

/** Returns the descriptions of the settings that have no flag, by variable. */
export function variablesOf(settings: Readonly<Record<string, SettingDeclaration>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([variable, setting]) =>
      setting.flag === undefined ? [[variable, withDefault(setting)]] : [],
    ),
  );
}

/**
 * Adds the default to a description. The default is omitted if the setting is off or empty by
 * default, or if the description already contains a default.
 */
function withDefault({ description, reads }: SettingDeclaration): string {
  const byDefault = reads.safeParse(undefined).data;
  const text = byDefault === undefined || byDefault === false ? '' : String(byDefault);
  return text === '' || description.includes('(default') ? description : `${description} (default ${text})`;
}
