import { session } from '../session.svelte';
import { chosenProject } from '../project.svelte';
import { ApiError } from './error';
import { operator } from './operator';
import { send, type Call, type Query } from './request';

// The public video API, with a token for the project that is chosen: tokens are kept in
// memory, and fetched again when they run out or are refused.
export const video = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) => call<T>(path, { query, signal }),
  post: <T>(path: string, body?: unknown) => call<T>(path, { method: 'POST', body: body ?? {} }),
  put: <T>(path: string, body: unknown) => call<T>(path, { method: 'PUT', body }),
  patch: <T>(path: string, body: unknown) => call<T>(path, { method: 'PATCH', body }),
  delete: <T>(path: string, query?: Query) => call<T>(path, { method: 'DELETE', query }),
};

// Page is one page of a list, as the video API answers it.
export interface Page<T> {
  data: T[];
  pagination: { currentPage: number; pageSize: number; pagesTotal: number; itemsTotal: number };
}

// videoPage reads a page of a list for paged(): cursor is the number of the page.
export async function videoPage<T>(path: string, query: Query, cursor: string | undefined, signal: AbortSignal) {
  const { data, pagination } = await video.get<Page<T>>(path, { pageSize: 25, ...query, currentPage: cursor ?? '1' }, signal);
  const { currentPage, pagesTotal, itemsTotal } = pagination;
  return { items: data, next: currentPage < pagesTotal ? String(currentPage + 1) : undefined, total: itemsTotal };
}

// videoAddress is where a path of the video API is, for uploads that tell their progress.
export const videoAddress = (path: string): string => `${session().videoUrl}${path}`;

interface Access {
  token: string;
  ends: number; // on the clock of performance.now
}

const accesses = new Map<string, Promise<Access>>();

// videoToken is good for another minute at least.
export async function videoToken(project = chosenProject()): Promise<string> {
  if (!project) throw new ApiError(0, 'no_video', 'Videos are not served here. Start stoa serve without names of services.');
  const known = await accesses.get(project)?.catch(() => undefined);
  if (known && known.ends > performance.now() + 60_000) return known.token;
  const asked = operator.post<{ token: string; expiresIn: number }>('/video/access', { project }).then(({ token, expiresIn }) => ({
    token,
    ends: performance.now() + expiresIn * 1000,
  }));
  accesses.set(project, asked);
  return (await asked).token;
}

// forgetVideoTokens is for whoever was refused with one.
export const forgetVideoTokens = (): void => accesses.clear();

async function call<T>(path: string, options: Call): Promise<T> {
  try {
    return await authorized<T>(path, options);
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.status !== 401) throw thrown;
    forgetVideoTokens();
    return authorized<T>(path, options);
  }
}

async function authorized<T>(path: string, options: Call): Promise<T> {
  const headers = { ...options.headers, Authorization: `Bearer ${await videoToken()}` };
  return send<T>(videoAddress(path), { ...options, headers });
}
