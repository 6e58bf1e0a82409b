// The states of a video in words and colours.
import type { Tone } from '../../ui/Badge.svelte';
import type { Standing } from './videos';

interface Look {
  word: string;
  tone: Tone;
  moves: boolean;
}

export function lookOf(s: Standing): Look {
  switch (s.state) {
    case 'empty':
      return { word: 'No file yet', tone: 'warn', moves: false };
    case 'uploading':
      return { word: 'Uploading', tone: 'info', moves: true };
    case 'fetching':
      return { word: 'Fetching', tone: 'info', moves: true };
    case 'waiting':
      return { word: 'Waiting to encode', tone: 'info', moves: true };
    case 'encoding':
      return { word: s.playable ? 'Playable, encoding' : 'Encoding', tone: 'info', moves: true };
    case 'failed':
      return { word: s.playable ? 'Failed in part' : 'Failed', tone: 'bad', moves: false };
    case 'ready':
      return { word: 'Ready', tone: 'good', moves: false };
  }
}

// shareOf is for a bar: undefined where nobody knows how far it is.
export function shareOf(s: Standing): number | undefined {
  return s.state === 'encoding' || (s.state === 'uploading' && s.share > 0) ? s.share : undefined;
}
