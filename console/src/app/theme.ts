const KEY = 'tollgate-theme';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Returns the theme that was chosen in this browser. `auto` follows the system. */
export function storedTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'auto';
  } catch {
    return 'auto'; // Storage is disabled.
  }
}

export function storeTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The choice only lasts until the page is closed.
  }
}

/** Event after a change of the theme. Charts draw again, because a canvas does not follow CSS. */
export const THEME_CHANGED = 'tollgate:theme';

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  window.dispatchEvent(new Event(THEME_CHANGED));
}
