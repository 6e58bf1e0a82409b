import { asApiError, type ApiError } from './api/error';
import { operator } from './api/operator';

// Session is who is here and where everything is. videoUrl is "" where no video is served.
export interface Session {
  user: { username: string; name: string };
  environment: string;
  version: string;
  videoUrl: string;
  publicUrl: string;
  projects: string[]; // of the videos
}

type State = { is: 'opening' } | { is: 'open'; session: Session } | { is: 'refused'; error: ApiError } | { is: 'failed'; error: ApiError };

let state = $state.raw<State>({ is: 'opening' });

export const sessionState = (): State => state;

// session is for views, which are shown only while it is open.
export function session(): Session {
  if (state.is !== 'open') throw new Error('the session is not open');
  return state.session;
}

// openSession asks who is here. Somebody who is signed out is led to the login page.
// Called again, it reads what has changed, such as the projects.
export async function openSession(): Promise<void> {
  try {
    state = { is: 'open', session: await operator.get<Session>('/session') };
  } catch (thrown) {
    const error = asApiError(thrown);
    if (error.status === 401) return; // the page is on its way out
    state = { is: error.status === 403 ? 'refused' : 'failed', error };
  }
}
