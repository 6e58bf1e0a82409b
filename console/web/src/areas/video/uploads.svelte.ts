// The uploads of this page. They go on while somebody looks at other views.
import { ApiError, asApiError, isAbort } from '../../api/error';
import { forget, remember } from './upload_memory';
import { missingPieces } from './upload_pieces';
import { ask, sendPiece } from './upload_send';
import type { Status, Video } from './videos';

// Wishes are what a new video is made with.
export interface Wishes {
  public: boolean;
  mp4Support: boolean;
  tags: string[];
  playerId?: string;
  watermark?: { id: string; [place: string]: string };
}

// Order is a file and what becomes of it: a new video by wishes, or one that is there and
// waits for it.
interface Order {
  file: File;
  project: string;
  title: string;
  wishes?: Wishes;
  videoId?: string;
}

type State = 'queued' | 'sending' | 'paused' | 'waiting' | 'done' | 'failed';

export class Upload {
  state = $state<State>('queued');
  sent = $state(0); // bytes
  videoId = $state<string>();
  problem = $state('');
  #stop = new AbortController();
  #tries = 0;
  #cancelled = false;

  readonly file: File;
  readonly project: string;
  readonly title: string;
  readonly #wishes: Wishes | undefined;

  constructor({ file, project, title, wishes, videoId }: Order) {
    [this.file, this.project, this.title, this.#wishes, this.videoId] = [file, project, title, wishes, videoId];
  }

  pause(): void {
    this.state = 'paused';
    this.#stop.abort();
    startNext();
  }

  resume(): void {
    this.#tries = 0;
    this.problem = '';
    this.state = 'queued';
    this.#stop.abort();
    startNext();
  }

  // cancel ends the upload and takes away the video that was made for it.
  async cancel(): Promise<void> {
    this.#cancelled = true;
    this.pause();
    all = all.filter((upload) => upload !== this);
    if (this.videoId) await dropUpload(this.project, this.videoId);
  }

  // send sends what is missing, until all is there. What a lost connection interrupts is
  // tried again, after longer and longer pauses.
  async send(): Promise<void> {
    const { signal } = (this.#stop = new AbortController());
    this.state = 'sending';
    while (!signal.aborted) {
      try {
        await this.#sendMissing(signal);
        this.state = 'done';
        if (this.videoId) forget(this.videoId);
        changes++;
      } catch (thrown) {
        if (signal.aborted || isAbort(thrown)) return;
        if (passes(thrown)) {
          await this.#waitToRetry(signal);
          continue;
        }
        this.state = 'failed';
        this.problem = asApiError(thrown).message;
      }
      break;
    }
    if (!signal.aborted) startNext();
  }

  async #sendMissing(signal: AbortSignal): Promise<void> {
    const videoId = (this.videoId ??= await this.#create());
    signal.throwIfAborted();
    const { ingest } = await ask<Status>(this.project, `/videos/${videoId}/status`, { signal });
    this.state = 'sending';
    if (ingest.status !== 'uploading') return;
    const pieces = missingPieces(this.file.size, ingest.receivedBytes);
    let arrived = this.file.size - pieces.reduce((sum, { from, end }) => sum + end - from, 0);
    for (const piece of pieces) {
      const progress = (bytes: number) => (this.sent = arrived + bytes);
      progress(0);
      await sendPiece({ project: this.project, videoId, file: this.file, piece, signal, progress });
      arrived += piece.end - piece.from;
      this.#tries = 0;
    }
    this.sent = this.file.size;
  }

  async #create(): Promise<string> {
    const { project, title, file } = this;
    const { videoId } = await ask<Video>(project, '/videos', { method: 'POST', body: { title, ...this.#wishes } });
    remember({ videoId, project, name: file.name, size: file.size, title });
    changes++;
    if (this.#cancelled) await dropUpload(project, videoId);
    return videoId;
  }

  async #waitToRetry(signal: AbortSignal): Promise<void> {
    this.state = 'waiting';
    const pause = Math.min(30_000, 1000 * 2 ** this.#tries++);
    await new Promise<void>((go) => {
      const timer = setTimeout(go, pause);
      for (const target of [signal, window]) target.addEventListener(target === signal ? 'abort' : 'online', () => (clearTimeout(timer), go()), { once: true });
    });
  }
}

// passes tells whether another try may do better: nobody answered, the server has too
// much to do, or a piece had arrived before its answer was lost.
function passes(thrown: unknown): boolean {
  if (!(thrown instanceof ApiError)) return false;
  const { status, code } = thrown;
  return status === 0 || status === 401 || status === 429 || status >= 500 || /range-overlap|already-uploaded/.test(code);
}

let all = $state.raw<Upload[]>([]);
let changes = $state(0);

export const uploads = (): Upload[] => all;

// changeCount grows when the library has become another one by an upload.
export const changeCount = (): number => changes;

export function noteChange(): void {
  changes++;
}

export const isOpen = (upload: Upload): boolean => upload.state !== 'done';

export function addUploads(added: Upload[]): void {
  all = [...all.filter(isOpen), ...added];
  startNext();
}

export function clearDone(): void {
  all = all.filter(isOpen);
}

// dropUpload takes away a video that was not uploaded completely.
export async function dropUpload(project: string, videoId: string): Promise<void> {
  try {
    await ask(project, `/videos/${videoId}`, { method: 'DELETE' });
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.status !== 404) throw thrown;
  }
  forget(videoId);
  changes++;
}

const together = 2; // more would only share the same line

function startNext(): void {
  const running = all.filter(({ state }) => state === 'sending' || state === 'waiting').length;
  for (const upload of all.filter(({ state }) => state === 'queued').slice(0, Math.max(0, together - running))) void upload.send();
}

// titleOf is the name of a file for people: without its ending, with spaces.
export function titleOf(fileName: string): string {
  const name = fileName.replace(/\.[a-z0-9]{1,5}$/i, '').replace(/[_\s]+/g, ' ').trim();
  return (name || fileName || 'Untitled').slice(0, 1000);
}

addEventListener('beforeunload', (event) => {
  if (all.some(({ state }) => state === 'sending' || state === 'waiting' || state === 'queued')) event.preventDefault();
});
