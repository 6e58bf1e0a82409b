import { ApiError, isAbort } from './error';

export type Query = Record<string, string | number | boolean | string[] | undefined>;

export interface Call {
  method?: string;
  query?: Query;
  // Sent as JSON, but for strings, blobs and forms, which go as they are.
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

// send answers the decoded JSON, the text of anything else, or undefined where there is
// no content. It throws an ApiError, or the abort of its signal.
export async function send<T>(address: string, call: Call = {}): Promise<T> {
  const response = await reach(withQuery(address, call.query), call);
  const answer = await decode(response);
  if (!response.ok) throw refusal(response.status, answer);
  return answer as T;
}

export function withQuery(address: string, query: Query = {}): string {
  const url = new URL(address, location.origin);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one));
  }
  return url.href;
}

async function reach(address: string, { method = 'GET', body, headers = {}, signal }: Call): Promise<Response> {
  const raw = body === undefined || typeof body === 'string' || body instanceof Blob || body instanceof FormData;
  try {
    return await fetch(address, {
      method,
      signal,
      headers: { Accept: 'application/json', ...(raw ? {} : { 'Content-Type': 'application/json' }), ...headers },
      body: raw ? body : JSON.stringify(body),
    });
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    throw new ApiError(0, 'unreachable', 'The server does not answer. See whether it runs, then try again.');
  }
}

async function decode(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!text) return undefined;
  if (!/[/+]json\b/.test(response.headers.get('Content-Type') ?? '')) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(response.status, 'malformed', 'The server answered something that cannot be read. Try again.');
  }
}

// refusal reads the two shapes that there are: {"error":{code,message}} and problem+json.
function refusal(status: number, answer: unknown): ApiError {
  const { error, title, detail, name, type } = Object(answer) as Record<string, unknown>;
  if (error && typeof error === 'object') {
    const { code, message } = error as Record<string, unknown>;
    return new ApiError(status, String(code), String(message), error);
  }
  const message = [title, detail].filter((part) => typeof part === 'string' && part !== '').join(': ').replace('.: ', ': ');
  const code = String(name || type || status);
  return new ApiError(status, code, message || `The server refused this with status ${status}. Try again in a moment`, answer);
}
