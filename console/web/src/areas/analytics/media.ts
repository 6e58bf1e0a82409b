import { ApiError } from '../../api/error';
import { video, type Page } from '../../api/video';

// The videos and live streams that numbers are about.

export interface Media {
  id: string;
  title: string;
}

interface Video {
  videoId: string;
  title: string;
}
interface LiveStream {
  liveStreamId: string;
  name: string;
}

export const isLive = (id: string): boolean => id.startsWith('li');

// choices is the newest of both kinds.
export async function choices(signal: AbortSignal): Promise<Media[]> {
  const [videos, streams] = await Promise.all([
    video.get<Page<Video>>('/videos', { pageSize: 100 }, signal),
    video.get<Page<LiveStream>>('/live-streams', { pageSize: 100 }, signal),
  ]);
  return [
    ...streams.data.map(({ liveStreamId, name }) => ({ id: liveStreamId, title: name })),
    ...videos.data.map(({ videoId, title }) => ({ id: videoId, title })),
  ];
}

// titleOf is "" for what was deleted.
export async function titleOf(id: string, signal: AbortSignal): Promise<string> {
  try {
    if (isLive(id)) return (await video.get<LiveStream>(`/live-streams/${id}`, {}, signal)).name;
    return (await video.get<Video>(`/videos/${id}`, {}, signal)).title || id;
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 404) return '';
    throw thrown;
  }
}
