// What the operator API says of polls and publishers.

import type { Tone } from '../../ui/Badge.svelte';

export type State = 'waiting' | 'shown' | 'private' | 'hidden' | 'deleted';

export interface Author {
  id: number;
  username: string; // "": the account is deleted
  name: string;
}

export interface Poll {
  id: number;
  state: State;
  private: boolean;
  url: string;
  caption: string;
  choices: { name: string; votes: number }[];
  votes: number;
  favorites: number;
  comments: number;
  creator: Author;
  picture: boolean;
  createdAt: string;
  hiddenAt: string | null;
  hiddenBy: string;
  deletedAt: string | null;
}

// Place is where a publisher shows a poll.
export interface Place {
  publisher: string;
  publisherName: string;
  kind: 'embed' | 'set';
  name: string;
  views: number;
}

export interface Reach {
  views: number;
  viewers: number;
  votes: number;
  voters: number;
}

export interface Publisher {
  id: number;
  name: string;
  displayName: string;
  members: (Author & { owner: boolean })[];
  sets: { id: number; name: string; displayName: string; polls: number[]; updatedAt: string }[];
  embeds: (Reach & { name: string; kind: 'poll' | 'set' | 'tag'; target: number; title: string })[];
  reach: Reach;
}

export interface Day {
  date: string; // of UTC
  votes: number;
  polls: number;
  accounts: number;
}

export const states: { state: State; label: string; tone: Tone; means: string }[] = [
  { state: 'shown', label: 'shown', tone: 'good', means: 'Everybody can see it.' },
  { state: 'private', label: 'private', tone: 'info', means: 'Seen by its creator, and by whoever has the link with its key.' },
  { state: 'waiting', label: 'waiting', tone: 'quiet', means: 'It has no picture yet: only its creator sees it.' },
  { state: 'hidden', label: 'hidden', tone: 'warn', means: 'An operator has hidden it: only its creator sees it.' },
  { state: 'deleted', label: 'deleted', tone: 'bad', means: 'It is gone. Its votes are kept for 30 days.' },
];

export const nameOf = ({ name, username }: Author): string => name || username || 'deleted account';

export const pictureOf = ({ id }: Poll): string => `/api/operator/polls/${id}/picture`;
export const linkTo = ({ id }: { id: number }): string => `/console/polls/${id}`;
export const publisherLink = (name: string): string => `/console/polls/publishers/${encodeURIComponent(name)}`;

// seconds is the moment at which a day of UTC begins.
export const seconds = (date: string): number => Date.parse(date) / 1000;
