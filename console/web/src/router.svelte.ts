import type { Area, Params, Route } from './area';
import { areas } from './areas';

// Match is what an address means; no route: nothing is there.
interface Match {
  area?: Area;
  route?: Route;
  params: Params;
}

let address = $state.raw(new URL(location.href));
let moved = $state(false);
const match = $derived(matched(address.pathname));

// Where the person is. Views are built anew when path changes, and not when query does.
export const here = {
  get path(): string {
    return address.pathname;
  },
  get query(): URLSearchParams {
    return address.searchParams;
  },
  get match(): Match {
    return match;
  },
  // Whether this is not the first view: then its heading takes the focus.
  get moved(): boolean {
    return moved;
  },
};

// go leads to an address of the console, as a link does.
export function go(to: string, { replace = false } = {}): void {
  const next = new URL(to, address);
  if (!leave()) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', next);
  arrive(next);
  if (!replace) scrollTo(0, 0);
}

// setQuery changes parameters in place, for filters that a reload should keep. Empty ones
// go.
export function setQuery(changes: Record<string, string | undefined>): void {
  const next = new URL(address);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.searchParams.set(name, value);
    else next.searchParams.delete(name);
  }
  history.replaceState(null, '', next);
  address = next;
}

let unsaved: (() => boolean) | undefined;

// holdUnsaved asks before somebody leaves while is() holds. To be called as a component
// begins; it returns what ends it: $effect(() => holdUnsaved(() => dirty)).
export function holdUnsaved(is: () => boolean): () => void {
  unsaved = is;
  return () => {
    if (unsaved === is) unsaved = undefined;
  };
}

function leave(): boolean {
  return !unsaved?.() || confirm('What you changed here is not saved. Leave without saving?');
}

function arrive(next: URL): void {
  moved ||= next.pathname !== address.pathname;
  address = next;
}

// startRouter makes links within the console change the view instead of the page.
export function startRouter(): void {
  addEventListener('popstate', () => {
    if (leave()) arrive(new URL(location.href));
    else history.pushState(null, '', address);
  });
  addEventListener('beforeunload', (event) => {
    if (unsaved?.()) event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || !followed(event, link)) return;
    event.preventDefault();
    go(link.href);
  });
}

function followed(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (event.defaultPrevented || !plain || link.target || link.hasAttribute('download') || link.origin !== location.origin) return false;
  const inside = link.pathname === '/console' || link.pathname.startsWith('/console/');
  const anchor = link.hash !== '' && link.pathname === location.pathname;
  return inside && !anchor;
}

// matched prefers the route with fewer parameters: what has a name of its own is not an
// id in a list.
function matched(path: string): Match {
  let found: Match = { params: {} };
  let fewest = Infinity;
  for (const area of areas) {
    for (const route of area.routes) {
      const params = paramsOf(route.path, path);
      const named = params ? Object.keys(params).length : Infinity;
      if (params && named < fewest) [found, fewest] = [{ area, route, params }, named];
    }
  }
  return found;
}

function paramsOf(pattern: string, path: string): Params | undefined {
  const wanted = pattern.split('/');
  const given = path.replace(/\/$/, '').split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Params = {};
  for (const [i, want] of wanted.entries()) {
    const got = given[i] ?? '';
    if (want.startsWith(':')) params[want.slice(1)] = decoded(got);
    else if (want !== got) return undefined;
  }
  return params;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // a stray percent sign
  }
}
