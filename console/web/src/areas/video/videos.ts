// Videos as the public video API has them, and what the operator API adds.
import { operator } from '../../api/operator';
import { video, type Page } from '../../api/video';

export interface Assets {
  hls: string;
  iframe: string;
  player: string;
  thumbnail: string;
  mp4?: string;
}

export interface Pair {
  key: string;
  value: string;
}

export interface Video {
  videoId: string;
  title: string;
  description: string;
  createdAt: string;
  updatedAt: string;
  discardedAt: string | null;
  deletesAt: string | null;
  language?: string;
  tags: string[];
  metadata: Pair[];
  source: { type?: string; liveStream?: { liveStreamId: string } };
  assets: Assets | null; // those of a private video have a new token in every answer
  playerId?: string;
  public: boolean;
  panoramic: boolean;
  mp4Support: boolean;
}

export interface Quality {
  type: 'hls' | 'mp4';
  quality: string;
  status: 'waiting' | 'encoding' | 'encoded' | 'failed';
}

export interface Received {
  from: number;
  to: number; // included
  total: number;
}

export interface Status {
  ingest: { status: string; filesize: number | null; receivedBytes: Received[]; receivedParts: { parts: number[]; total: number | null } };
  encoding: {
    playable: boolean;
    qualities: Quality[];
    metadata: {
      width: number | null;
      height: number | null;
      bitrate: number | null; // kbit/s
      duration: number | null; // seconds
      framerate: number | null;
      samplerate: number | null;
      videoCodec: string | null;
      audioCodec: string | null;
      aspectRatio: string | null;
    };
    problem?: string;
  };
}

export type State = 'empty' | 'uploading' | 'fetching' | 'waiting' | 'encoding' | 'ready' | 'failed';

// Standing is how far a video is. share is of what has arrived, or is encoded.
export interface Standing {
  videoId: string;
  state: State;
  share: number;
  playable: boolean;
  duration: number; // seconds, 0 while nobody knows
  problem?: string;
  poster: string; // another text for every picture, "" while there is none
  watermark?: string;
}

export interface Standings {
  restore: boolean; // deleted videos can be brought back
  videos: Standing[];
}

export const standingsOf = (project: string, id: string[], signal?: AbortSignal): Promise<Standings> =>
  operator.get<Standings>('/video/standings', { project, id }, signal);

// isSettled tells whether a video stays as it is unless somebody changes it.
export const isSettled = (s: Standing): boolean => s.state === 'failed' || (s.state === 'ready' && s.poster !== '');

// posterOf is the address of a video's picture, which changes with the picture.
export const posterOf = (v: Video, s: Standing | undefined): string | undefined =>
  v.assets && s?.poster ? `${v.assets.thumbnail}?v=${encodeURIComponent(s.poster)}` : undefined;

// everything reads all pages of a short list, such as that of the themes.
export async function everything<T>(path: string, signal?: AbortSignal): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const { data, pagination } = await video.get<Page<T>>(path, { currentPage: page, pageSize: 100 }, signal);
    all.push(...data);
    if (page >= pagination.pagesTotal) return all;
  }
}
