import { asApiError, isAbort, type ApiError } from './api/error';

// Loaded is something of the server. While it is read again, data stays; after a failure
// both may be there.
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: ApiError | undefined;
  readonly loading: boolean;
  reload(): Promise<void>;
  // replace shows what a change answered, without asking again.
  replace(data: T): void;
}

// load reads something as a component begins, and again when what read() uses before its
// first await changes. With every, it reads again each so many milliseconds while the tab
// can be seen. It stops when the component ends.
export function load<T>(read: (signal: AbortSignal) => Promise<T>, { every }: { every?: number } = {}): Loaded<T> {
  let data = $state.raw<T>();
  let error = $state.raw<ApiError>();
  let loading = $state(true);
  let current = new AbortController();

  async function run(): Promise<void> {
    current.abort();
    const { signal } = (current = new AbortController());
    loading = true;
    try {
      const answer = await read(signal);
      if (signal.aborted) return;
      data = answer;
      error = undefined;
    } catch (thrown) {
      if (signal.aborted || isAbort(thrown)) return;
      error = asApiError(thrown);
    }
    loading = false;
  }

  $effect(() => {
    void run();
    return () => current.abort();
  });
  $effect(() => {
    if (every) return whileSeen(every, () => void (loading || run()));
  });
  return {
    get data() {
      return data;
    },
    get error() {
      return error;
    },
    get loading() {
      return loading;
    },
    reload: run,
    replace(next) {
      current.abort();
      [data, error, loading] = [next, undefined, false];
    },
  };
}

// whileSeen does something every so many milliseconds, and at once when the tab comes
// back to the front.
function whileSeen(every: number, act: () => void): () => void {
  const seen = () => document.visibilityState === 'visible' && act();
  const timer = setInterval(seen, every);
  document.addEventListener('visibilitychange', seen);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', seen);
  };
}
