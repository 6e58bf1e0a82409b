import { send, type Query } from './request';

// The public API of the polls, as the account of the cookie. Paths stand below /api/v4:
// polls.get('/polls', { limit: 5 }).
export const polls = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) => send<T>(`/api/v4${path}`, { query, signal }),
  post: <T>(path: string, body?: unknown) => send<T>(`/api/v4${path}`, { method: 'POST', body: body ?? {} }),
  put: <T>(path: string, body: unknown) => send<T>(`/api/v4${path}`, { method: 'PUT', body }),
  delete: <T>(path: string, query?: Query) => send<T>(`/api/v4${path}`, { method: 'DELETE', query }),
};
