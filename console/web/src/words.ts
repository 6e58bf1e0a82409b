// Numbers, times and sizes in words.

const numbers = new Intl.NumberFormat('en');
export const format = (n: number): string => numbers.format(n);

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
export const short = (n: number): string => compact.format(n);

// count is a number with its noun: count(3, 'poll') is "3 polls".
export const count = (n: number, one: string, many = `${one}s`): string => `${format(n)} ${n === 1 ? one : many}`;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

// ago is a moment seen from now: "3 hours ago", "in 2 days".
export function ago(date: Date, now = Date.now()): string {
  const seconds = (date.getTime() - now) / 1000;
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return 'just now';
}

// duration is seconds as people say them: "2 h 5 min".
export function duration(seconds: number): string {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), Math.floor(seconds % 60)];
  if (h > 0) return m > 0 ? `${h} h ${m} min` : `${h} h`;
  if (m > 0) return s > 0 ? `${m} min ${s} s` : `${m} min`;
  return `${s} s`;
}

const rooms: Record<string, string> = { polls: 'Polls', video: 'Video', ratelimit: 'Rate limits' };

// roomName is a room as people read it.
export function roomName(room: string): string {
  return rooms[room] ?? room;
}

// clock is seconds as players show them: "1:07", "1:02:03".
export function clock(seconds: number): string {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), Math.floor(seconds % 60)];
  const two = (n: number) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

// bytes is a size in powers of 1000: "1.2 MB".
export function bytes(n: number): string {
  const names = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = n < 1000 ? 0 : Math.min(names.length - 1, Math.floor(Math.log10(n) / 3));
  const value = n / 1000 ** power;
  return `${power > 0 && value < 100 ? value.toFixed(1) : Math.round(value)} ${names[power]}`;
}
