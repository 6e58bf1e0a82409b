// WebVTT as far as chapters need it: when each begins, and what it is called.
export interface Chapter {
  at: number; // seconds
  title: string;
}

const timing = /^((?:\d+:)?\d{1,2}:\d{2}[.,]\d{3})\s+-->\s+/;

// isVtt tells whether a text says of itself that it is WebVTT.
export const isVtt = (text: string): boolean => /^\uFEFF?WEBVTT(?:[ \t\n\r]|$)/.test(text);

export function parseChapters(text: string): Chapter[] {
  const chapters: Chapter[] = [];
  for (const block of text.replace(/\r\n?/g, '\n').split(/\n{2,}/)) {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => timing.test(line));
    const start = timing.exec(lines[at] ?? '')?.[1];
    if (start === undefined) continue; // the head, a note or a style
    chapters.push({ at: parseClock(start) ?? 0, title: plain(lines.slice(at + 1).join(' ')) });
  }
  return chapters.sort((a, b) => a.at - b.at);
}

// writeChapters lets each chapter end where the next begins, and the last with the video.
export function writeChapters(chapters: Chapter[], length: number): string {
  const sorted = chapters.toSorted((a, b) => a.at - b.at);
  const cues = sorted.map(({ at, title }, i) => {
    const end = sorted[i + 1]?.at ?? Math.max(length, at + 1);
    return `${stamp(at)} --> ${stamp(end)}\n${escaped(title)}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

// parseClock reads "75", "1:15" and "1:02:03.5" as seconds; undefined for anything else.
export function parseClock(text: string): number | undefined {
  const match = /^(?:(?:(\d+):)?(\d{1,2}):)?(\d+(?:[.,]\d+)?)$/.exec(text.trim());
  if (!match) return undefined;
  const [hours = '0', minutes = '0', seconds = '0'] = match.slice(1);
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'));
}

// stamp is a place as the API and WebVTT write it: 00:01:15.250.
export function stamp(seconds: number): string {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}`;
}

const plain = (text: string) => text.replace(/<[^>]*>/g, '').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&').trim();
const escaped = (text: string) => text.replace(/\s+/g, ' ').trim().replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
