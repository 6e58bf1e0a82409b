// A player theme, as the video API has it.

export interface Look {
  text: string;
  link: string;
  linkHover: string;
  linkActive: string;
  trackPlayed: string;
  trackUnplayed: string;
  trackBackground: string;
  backgroundTop: string;
  backgroundBottom: string;
  backgroundText: string;
  enableApi: boolean;
  enableControls: boolean;
  forceAutoplay: boolean;
  hideTitle: boolean;
  forceLoop: boolean;
}

export interface Theme extends Look {
  playerId: string;
  name: string;
  createdAt: string;
  updatedAt: string;
  assets?: { logo: string; link?: string };
}

type Of<T> = { [K in keyof Look]: Look[K] extends T ? K : never }[keyof Look];
export type ColourName = Of<string>;
export type SwitchName = Of<boolean>;

interface ColourChoice {
  name: ColourName;
  label: string;
}

// In the order in which an editor shows them.
export const colours: { group: string; of: ColourChoice[] }[] = [
  {
    group: 'Controls',
    of: [
      { name: 'text', label: 'Text and clock' },
      { name: 'link', label: 'Buttons' },
      { name: 'linkHover', label: 'Buttons under the pointer' },
      { name: 'linkActive', label: 'Buttons that are on' },
      { name: 'backgroundText', label: 'Title' },
    ],
  },
  {
    group: 'Time line',
    of: [
      { name: 'trackPlayed', label: 'Played' },
      { name: 'trackUnplayed', label: 'Loaded' },
      { name: 'trackBackground', label: 'Still to come' },
    ],
  },
  {
    group: 'Shades over the picture',
    of: [
      { name: 'backgroundTop', label: 'At the top' },
      { name: 'backgroundBottom', label: 'At the bottom' },
    ],
  },
];

export const switches: { name: SwitchName; label: string; hint: string }[] = [
  { name: 'enableControls', label: 'Show the controls', hint: 'Without them, viewers play and pause by a click on the picture.' },
  { name: 'hideTitle', label: 'Hide the title', hint: 'The title at the top left of the picture.' },
  { name: 'forceAutoplay', label: 'Play at once', hint: 'Browsers allow it without sound; viewers then get a button for it.' },
  { name: 'forceLoop', label: 'Play over and over', hint: 'At the end it begins again.' },
  { name: 'enableApi', label: 'Let pages steer the player', hint: 'The player SDK of the site around it. Live previews here need it too.' },
];

// lookOf leaves out what is not for choosing.
export function lookOf(theme: Theme): Look {
  const look = {} as Record<string, unknown>;
  for (const { name } of [...colours.flatMap((group) => group.of), ...switches]) look[name] = theme[name];
  return look as unknown as Look;
}

export interface Colour {
  hex: string; // #rrggbb
  opacity: number; // 0 to 1
}

// colourOf reads the forms that the API takes; white for anything else.
export function colourOf(text: string): Colour {
  const numbers = /^rgba?\(([^)]*)\)$/i.exec(text.trim())?.[1]?.split(',').map(Number);
  if (numbers && numbers.length >= 3 && numbers.every(Number.isFinite)) {
    const [red = 0, green = 0, blue = 0, opacity = 1] = numbers;
    return { hex: `#${[red, green, blue].map(twoDigits).join('')}`, opacity };
  }
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(text.trim())?.[1];
  if (!digits) return { hex: '#ffffff', opacity: 1 };
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  return { hex: `#${full.slice(0, 6)}`, opacity: full.length === 8 ? parseInt(full.slice(6), 16) / 255 : 1 };
}

const twoDigits = (n: number): string => Math.min(255, Math.max(0, Math.round(n))).toString(16).padStart(2, '0');

// rgba is a colour as the API writes it.
export function rgba({ hex, opacity }: Colour): string {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return `rgba(${red}, ${green}, ${blue}, ${Number(opacity.toFixed(2))})`;
}
