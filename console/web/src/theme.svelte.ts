import { keep, kept } from './keep';

export type Theme = 'system' | 'light' | 'dark';

let theme = $state<Theme>(asTheme(kept('theme')));

export const chosenTheme = (): Theme => theme;

// chooseTheme is for all pages of this origin: the polls pages read the same name.
export function chooseTheme(wanted: Theme): void {
  theme = wanted;
  if (wanted === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = wanted;
  keep('theme', wanted);
}

function asTheme(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}
