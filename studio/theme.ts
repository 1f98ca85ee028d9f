import { signal } from '@preact/signals';

const KEY = 'spanwright-theme';

/** Colours: those of the system, or one's own choice. */
export type Theme = 'system' | 'light' | 'dark';

/** The theme chosen. */
export const theme = signal<Theme>(kept());

function kept(): Theme {
  try {
    const found = localStorage.getItem(KEY);
    return found === 'light' || found === 'dark' ? found : 'system';
  } catch {
    return 'system';
  }
}

/** Puts the theme on the page. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = theme.value;
}

/** Takes another theme and keeps it. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  applyTheme();
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // A page without storage forgets it.
  }
}
