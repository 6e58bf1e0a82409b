import { video, type Page } from '../../api/video';
import type { Query } from '../../api/request';

// What is asked of the analytics: a time, and whom it is about.

const hour = 3600_000;
const day = 24 * hour;

// The server keeps 30 days.
export const ranges = {
  '24h': { label: '24 hours', interval: 'hour', length: hour, steps: 24 },
  '7d': { label: '7 days', interval: 'day', length: day, steps: 7 },
  '30d': { label: '30 days', interval: 'day', length: day, steps: 30 },
} as const;

export type RangeName = keyof typeof ranges;

export function rangeNamed(name: string | null): RangeName {
  return name !== null && name in ranges ? (name as RangeName) : '7d';
}

// Question is a range with its moments fixed: all numbers of a view are of the same time.
export interface Question {
  range: RangeName;
  from: Date; // the beginning of an hour, or of a day of UTC, as the server counts them
  to: Date;
  filter: Query;
}

// media is "", "video", "live-stream", or an id of either.
export function question(range: RangeName, media: string, now = new Date()): Question {
  const { length, steps } = ranges[range];
  const last = Math.floor(now.getTime() / length) * length;
  return { range, from: new Date(last - (steps - 1) * length), to: now, filter: filterBy(media) };
}

function filterBy(media: string): Query {
  if (media === 'video' || media === 'live-stream') return { 'filterBy[mediaType]': media };
  return media ? { 'filterBy[mediaId]': media } : {};
}

// The + of a zone would need care in a query; Z needs none.
const asQuery = ({ from, to, filter }: Question): Query => ({ from: seconds(from), to: seconds(to), ...filter });
const seconds = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z');

// metric is one number, such as 'play/count'.
export async function metric(name: string, of: Question, signal: AbortSignal, more: Query = {}): Promise<number> {
  return (await video.get<{ data: number }>(`/data/metrics/${name}`, { ...asQuery(of), ...more }, signal)).data;
}

export interface Point {
  at: Date;
  value: number;
}

// series is a metric over time. There are fewer steps than fit on a page.
export async function series(name: string, of: Question, signal: AbortSignal, more: Query = {}): Promise<Point[]> {
  const { interval } = ranges[of.range];
  const { data } = await video.get<Page<{ emittedAt: string; metricValue: number }>>(`/data/timeseries/${name}`, { ...asQuery(of), interval, pageSize: 100, ...more }, signal);
  return data.map(({ emittedAt, metricValue }) => ({ at: new Date(emittedAt), value: metricValue }));
}

// watchTime is in seconds, over time. The API has it as a sum only, so each step is asked
// for, a few at once.
export async function watchTime(of: Question, signal: AbortSignal): Promise<Point[]> {
  const { length, steps } = ranges[of.range];
  const points: Point[] = Array.from({ length: steps }, (_, i) => ({ at: new Date(of.from.getTime() + i * length), value: 0 }));
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < points.length; i = next++) {
      const point = points[i];
      if (!point) return;
      const to = new Date(Math.min(point.at.getTime() + length, of.to.getTime()));
      if (seconds(point.at) !== seconds(to)) point.value = await metric('watch-time/sum', { ...of, from: point.at, to }, signal);
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return points;
}

export interface Bucket {
  name: string;
  value: number;
}

// buckets is the highest ten of a metric by what viewers have in common, and how many
// there are.
export async function buckets(path: string, of: Question, signal: AbortSignal): Promise<{ top: Bucket[]; total: number }> {
  const { data, pagination } = await video.get<Page<{ dimensionValue: string; metricValue: number }>>(`/data/buckets/${path}`, { ...asQuery(of), pageSize: 10 }, signal);
  return { top: data.map(({ dimensionValue, metricValue }) => ({ name: dimensionValue, value: metricValue })), total: pagination.itemsTotal };
}
