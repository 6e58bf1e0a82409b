// What is known of the source of a video, in words.
import { bytes, duration, format } from '../../words';
import type { Standing, Status, Video } from './videos';

interface Fact {
  name: string;
  value?: string; // absent: the view draws it
}

export function factsOf(video: Video, standing: Standing | undefined, ingest: Status['ingest'], media: Status['encoding']['metadata']): Fact[] {
  const { width, height, framerate, videoCodec, audioCodec, samplerate, bitrate } = media;
  const seconds = standing?.duration || media.duration;
  const facts: (Fact | undefined)[] = [
    seconds ? { name: 'Duration', value: duration(Math.max(1, Math.round(seconds))) } : undefined,
    width && height ? { name: 'Picture', value: [`${width} × ${height}`, framerate && `${framerate} frames/s`, videoCodec].filter(Boolean).join(', ') } : undefined,
    audioCodec ? { name: 'Sound', value: [audioCodec, samplerate && `${format(samplerate / 1000)} kHz`].filter(Boolean).join(', ') } : undefined,
    ingest.filesize ? { name: 'Source', value: [bytes(ingest.filesize), bitrate && `${format(Math.round(bitrate))} kbit/s`].filter(Boolean).join(', ') } : undefined,
    video.source.type && !video.source.liveStream ? { name: 'Came by', value: sources[video.source.type] ?? video.source.type } : undefined,
    video.source.liveStream ? { name: 'Live stream' } : undefined,
    standing?.watermark ? { name: 'Watermark', value: `Burnt in: ${standing.watermark}` } : undefined,
    { name: 'Made' },
    video.updatedAt !== video.createdAt ? { name: 'Changed' } : undefined,
    video.deletesAt ? { name: 'Goes for good' } : undefined,
  ];
  return facts.filter((fact) => fact !== undefined);
}

const sources: Record<string, string> = { upload: 'Upload', url: 'Fetched from an address', copy: 'Copy of another video' };

// sentence is what the server says of a problem, with a capital and a full stop.
export const sentence = (text: string): string => text && `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/[^.!?]$/, '$&.');

// isOver tells whether nothing is made of the source any more.
export const isOver = ({ ingest, encoding }: Status): boolean =>
  !['uploading', 'ingesting'].includes(ingest.status) && encoding.qualities.length > 0 && encoding.qualities.every(({ status }) => status === 'encoded' || status === 'failed');
