// Uploads that were begun in this browser and are not complete, so that they can go on
// after a reload. A page may not keep the file itself: it has to be chosen again.
import { keep, kept } from '../../keep';

export interface Begun {
  videoId: string;
  project: string;
  name: string; // of the file
  size: number;
  title: string;
}

const key = 'uploads';

export function remembered(): Begun[] {
  try {
    const all: unknown = JSON.parse(kept(key) ?? '[]');
    return Array.isArray(all) ? all.filter(isBegun) : [];
  } catch {
    return []; // somebody else wrote there
  }
}

export function remember(begun: Begun): void {
  keep(key, JSON.stringify([...remembered().filter((b) => b.videoId !== begun.videoId), begun].slice(-50)));
}

export function forget(videoId: string): void {
  keep(key, JSON.stringify(remembered().filter((b) => b.videoId !== videoId)));
}

// begunWith is the unfinished upload of a file in a project.
export const begunWith = (file: File, project: string): Begun | undefined =>
  remembered().find((b) => b.name === file.name && b.size === file.size && b.project === project);

function isBegun(b: unknown): b is Begun {
  const { videoId, project, name, size, title } = Object(b) as Record<string, unknown>;
  return [videoId, project, name, title].every((text) => typeof text === 'string') && typeof size === 'number';
}
