import { ApiError } from './error';
import { send, type Call, type Query } from './request';

// The operator API of this server, as the account of the cookie. Paths stand below
// /api/operator: operator.get('/health').
export const operator = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) => call<T>(path, { query, signal }),
  post: <T>(path: string, body?: unknown, signal?: AbortSignal) => call<T>(path, { method: 'POST', body: body ?? {}, signal }),
  put: <T>(path: string, body: unknown, headers?: Record<string, string>) => call<T>(path, { method: 'PUT', body, headers }),
  patch: <T>(path: string, body: unknown) => call<T>(path, { method: 'PATCH', body }),
  delete: <T>(path: string, query?: Query) => call<T>(path, { method: 'DELETE', query }),
};

async function call<T>(path: string, options: Call): Promise<T> {
  try {
    return await send<T>(`/api/operator${path}`, options);
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 401) logIn();
    throw thrown;
  }
}

// logIn leads to the login page, and from there back to this one.
export function logIn(): void {
  location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
}
