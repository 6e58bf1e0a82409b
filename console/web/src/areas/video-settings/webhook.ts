// A webhook, as the video API has it, and what it was told, as the operator API has it.

export interface Webhook {
  webhookId: string;
  url: string;
  events: string[];
  signatureSecret: string;
  createdAt: string;
}

export interface Delivery {
  id: string;
  event: string;
  body: string;
  state: 'delivered' | 'failed' | 'waiting';
  tries: number;
  status: number; // 0: nobody answered
  problem: string;
  tookMs: number;
  again: boolean;
  createdAt: string;
  updatedAt: string;
}

// Those that never happen here, as nothing is made from speech, are left out.
export const events: { name: string; label: string }[] = [
  { name: 'video.encoding.quality.completed', label: 'A quality of a video can be played' },
  { name: 'video.source.recorded', label: 'A broadcast has become a video' },
  { name: 'live-stream.broadcast.started', label: 'A broadcast begins' },
  { name: 'live-stream.broadcast.ended', label: 'A broadcast has ended' },
];

export const eventLabel = (name: string): string => events.find((event) => event.name === name)?.label ?? name;

export const states = {
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  waiting: { label: 'Waiting', tone: 'warn' },
} as const;

// about is what an event is about, in a word or two, and the video if it is one.
export function about({ body }: Delivery): { text: string; videoId?: string } {
  try {
    const { encoding, quality, videoId, liveStreamId } = JSON.parse(body) as Partial<Record<string, string>>;
    const made = [encoding?.toUpperCase(), quality].filter(Boolean).join(' ');
    return { text: made || (videoId ? '' : (liveStreamId ?? '')), videoId };
  } catch {
    return { text: '' };
  }
}

// took is milliseconds as people say them.
export const took = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);
