const KEY = 'tollgate-theme';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** What was chosen in this browser before; `auto` follows the system. */
export function storedTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'auto';
  } catch {
    return 'auto'; // Storage is switched off.
  }
}

export function storeTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // It holds until the page is left.
  }
}

/** Charts draw on a canvas and have to be told: they listen to this. */
export const THEME_CHANGED = 'tollgate:theme';

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  window.dispatchEvent(new Event(THEME_CHANGED));
}
