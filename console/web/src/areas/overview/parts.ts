import { ApiError } from '../../api/error';

// Part is one thing that a room stands on, and how it is.
export interface Part {
  environment?: string;
  room: string;
  name: string;
  state: 'ok' | 'degraded' | 'starting' | 'down';
  reason?: string;
  detail?: string;
}

// JobCount is how much work of a kind there is.
export interface JobCount {
  kind: string;
  running: number;
  waiting: number;
  givenUp: number;
}

export interface Poll {
  pollID: number;
  caption: string;
  created: string;
  creator: { username: string; name: string };
  images: { url: string }[];
  voteCount: number;
}

export interface Video {
  videoId: string;
  title: string;
  publishedAt: string;
  public: boolean;
  assets: { thumbnail?: string };
}

export interface LiveStream {
  liveStreamId: string;
  name: string;
  broadcasting: boolean;
}

// ifThere is null where a process does not serve something.
export async function ifThere<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 404) return null;
    throw thrown;
  }
}
