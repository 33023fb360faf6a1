import { useState } from 'react';
import { Icon } from '../parts/text/icon.js';
import { shellText } from '../text/shell-text.js';
import { storedTheme, storeTheme, THEMES } from './theme.js';

const ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const;

/** Shows a button that cycles through the three themes: system, light, dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
  const label = shellText.theme(theme, next);
  return (
    <button
      type="button"
      className="icon-button"
      title={label}
      aria-label={label}
      onClick={() => {
        storeTheme(next);
        setTheme(next);
      }}
    >
      <Icon name={ICONS[theme]} />
    </button>
  );
}
