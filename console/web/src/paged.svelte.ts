import { asApiError, isAbort, type ApiError } from './api/error';

export interface PageOf<T> {
  items: T[];
  next?: string; // cursor of the page after this one
  total?: number;
}

// Paged is a list that grows page by page. items is undefined until the first one is
// there.
export interface Paged<T> {
  readonly items: T[] | undefined;
  readonly total: number | undefined;
  readonly more: boolean;
  readonly error: ApiError | undefined;
  readonly loading: boolean;
  loadMore(): Promise<void>;
  reload(): Promise<void>;
}

// paged reads the first page as a component begins, and again when what read() uses
// before its first await changes.
export function paged<T>(read: (cursor: string | undefined, signal: AbortSignal) => Promise<PageOf<T>>): Paged<T> {
  let items = $state.raw<T[]>();
  let total = $state<number>();
  let next = $state<string>();
  let error = $state.raw<ApiError>();
  let loading = $state(true);
  let current = new AbortController();

  async function run(cursor: string | undefined, before: T[]): Promise<void> {
    current.abort();
    const { signal } = (current = new AbortController());
    loading = true;
    try {
      const page = await read(cursor, signal);
      if (signal.aborted) return;
      items = [...before, ...page.items];
      ({ next, total } = page);
      error = undefined;
    } catch (thrown) {
      if (signal.aborted || isAbort(thrown)) return;
      error = asApiError(thrown);
    }
    loading = false;
  }

  const first = () => run(undefined, []);
  $effect(() => {
    void first();
    return () => current.abort();
  });
  return {
    get items() {
      return items;
    },
    get total() {
      return total;
    },
    get more() {
      return next !== undefined;
    },
    get error() {
      return error;
    },
    get loading() {
      return loading;
    },
    loadMore: () => run(next, items ?? []),
    reload: first,
  };
}
