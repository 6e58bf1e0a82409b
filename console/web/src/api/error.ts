// ApiError is a refusal, or an answer that never came. Its message is a sentence to be
// shown; code is what the server calls it.
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details?: unknown,
  ) {
    super(sentence(message));
  }
}

// asApiError makes of whatever was thrown something that can be shown.
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  console.error(thrown);
  return new ApiError(0, 'internal', 'Something went wrong in this page. Reload it and try again.');
}

export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError';
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replace(/[^.!?:]$/, '$&.');
}
