import type { Tone } from '../../ui/Badge.svelte';
import type { Job, JobState } from './api';

// What jobs do, for people.
const kinds: Record<string, string> = {
  'video.ingest': 'Look at a source',
  'video.chunk': 'Encode a part of a video',
  'video.audio': 'Encode the sound of a video',
  'video.mp4': 'Make an MP4',
  'video.storyboard': 'Make a storyboard',
  'video.thumbnail': 'Make a thumbnail',
  'video.delete': 'Remove the files of a deleted video',
  'video.import': 'Fetch a source',
  'video.copy': 'Copy a source',
  'video.webhook': 'Call a webhook',
  'video.expire': 'Delete videos whose time has come',
  'video.sweep': 'Tidy up the videos',
  'jobs.sweep': 'Forget old jobs',
};

export const kindWords = (kind: string): string => kinds[kind] ?? kind;

export const stateLooks: Record<JobState, { tone: Tone; word: string }> = {
  running: { tone: 'info', word: 'Running' },
  waiting: { tone: 'quiet', word: 'Waiting' },
  given_up: { tone: 'bad', word: 'Failed' },
};

// about is what a job is about, in a line.
export const about = ({ args }: Job): string =>
  Object.entries(args)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

// tries is how often a job failed, and of how many. One that was given up has none left.
export const tries = ({ failures, attempts, state }: Job): string => {
  if (state === 'given_up') return '–';
  return attempts ? `${failures} of ${attempts}` : String(failures);
};
