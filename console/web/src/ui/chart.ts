import uPlot from 'uplot';

export type Tone = 'accent' | 'second' | 'good' | 'warn' | 'bad' | 'quiet';

export interface Series {
  label: string;
  values: (number | null)[];
  tone?: Tone;
}

export interface Drawing {
  x: number[]; // seconds since 1970
  series: Series[];
  kind: 'line' | 'area' | 'bars';
  format: (n: number) => string;
  height: number;
}

const order: Tone[] = ['accent', 'second', 'good', 'warn', 'bad'];
export const toneOf = ({ tone }: Series, i: number): Tone => tone ?? order[i % order.length] ?? 'accent';

// draw puts a chart into an element, as wide as it is, in the colours of the theme.
// It returns what takes it away.
export function draw(root: HTMLElement, { x, series, kind, format, height }: Drawing): () => void {
  const colour = (name: string) => resolved(root, name);
  const axis = { stroke: colour('quiet'), grid: { stroke: colour('line'), width: 1 }, ticks: { show: false }, font: '12px system-ui, sans-serif' };
  const step = ((x.at(-1) ?? 0) - (x[0] ?? 0)) / Math.max(1, x.length - 1) || 60;
  const bars = kind === 'bars' ? uPlot.paths.bars?.({ size: [0.7, 48] }) : undefined;
  const chart = new uPlot(
    {
      width: root.clientWidth,
      height,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { size: 7 } },
      scales: { x: { range: kind === 'bars' ? (_, min, max) => [min - step / 2, max + step / 2] : undefined }, y: { range: (_, __, max) => [0, max > 0 ? max * 1.12 : 1] } },
      axes: [
        { ...axis, grid: { show: false }, space: 64, values: (_, splits, __, ___, apart) => splits.map((at) => moment(at, apart)) },
        { ...axis, size: 52, values: (_, splits) => splits.map(format) },
      ],
      series: [
        {},
        ...series.map((one, i) => {
          const stroke = colour(toneOf(one, i));
          const fill = kind === 'line' ? undefined : faded(stroke, kind === 'bars' ? 0.75 : 0.16);
          return { label: one.label, stroke, width: kind === 'bars' ? 0 : 2, fill, paths: bars, points: { show: kind !== 'bars' && x.length < 2 } };
        }),
      ],
    },
    [x, ...series.map(({ values }) => values)],
    root,
  );
  const watcher = new ResizeObserver(() => chart.setSize({ width: root.clientWidth, height }));
  watcher.observe(root);
  return () => {
    watcher.disconnect();
    chart.destroy();
  };
}

// resolved is a colour as it is painted: a canvas knows no custom properties.
function resolved(root: HTMLElement, name: string): string {
  root.style.color = `var(--${name})`;
  const { color } = getComputedStyle(root);
  root.style.removeProperty('color');
  return color;
}

const days = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const minutes = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

// moment is a tick of the axis, whose neighbours are so many seconds apart. Where the day
// changes among times, the day is told.
function moment(at: number, apart: number): string {
  const date = new Date(at * 1000);
  const midnight = date.getHours() === 0 && date.getMinutes() === 0;
  return (apart >= 86_400 || midnight ? days : minutes).format(date);
}

function faded(rgb: string, share: number): string {
  return rgb.replace(/^rgb\((.*)\)$/, `rgba($1, ${share})`);
}

// onTheme calls back when the colours change, by choice or with the system.
export function onTheme(act: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const choice = new MutationObserver(act);
  system.addEventListener('change', act);
  choice.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', act);
    choice.disconnect();
  };
}
