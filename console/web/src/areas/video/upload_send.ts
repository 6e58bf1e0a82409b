// What uploads ask of the video API: for the project that they began in, whichever is
// chosen by now.
import { ApiError } from '../../api/error';
import { send, type Call } from '../../api/request';
import { forgetVideoTokens, videoAddress, videoToken } from '../../api/video';
import { contentRange, type Piece } from './upload_pieces';

// ask calls the API, once more with another token if it was refused.
export async function ask<T>(project: string, path: string, call: Call = {}): Promise<T> {
  const authorized = async () => send<T>(videoAddress(path), { ...call, headers: { Authorization: `Bearer ${await videoToken(project)}` } });
  try {
    return await authorized();
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.status !== 401) throw thrown;
    forgetVideoTokens();
    return authorized();
  }
}

export interface Sending {
  project: string;
  videoId: string;
  file: File;
  piece: Piece;
  signal: AbortSignal;
  progress: (bytes: number) => void; // of this piece, that have left
}

// sendPiece uploads a piece. It uses XMLHttpRequest, as fetch does not tell how much has
// left.
export async function sendPiece({ project, videoId, file, piece, signal, progress }: Sending): Promise<void> {
  const token = await videoToken(project);
  signal.throwIfAborted();
  const form = new FormData();
  form.append('file', file.slice(piece.from, piece.end), file.name);
  await new Promise<void>((done, fail) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener('abort', abort, { once: true });
    request.open('POST', videoAddress(`/videos/${videoId}/source`));
    request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.setRequestHeader('Content-Range', contentRange(piece, file.size));
    request.upload.onprogress = ({ loaded }) => progress(Math.min(loaded, piece.end - piece.from));
    request.onload = () => (request.status < 300 ? done() : fail(refused(request)));
    request.onerror = () => fail(new ApiError(0, 'unreachable', 'The connection was lost'));
    request.onabort = () => fail(new DOMException('paused', 'AbortError'));
    request.onloadend = () => signal.removeEventListener('abort', abort);
    request.send(form);
  });
}

function refused(request: XMLHttpRequest): ApiError {
  let told: { title?: string; detail?: string; type?: string } = {};
  try {
    told = JSON.parse(request.responseText) as typeof told;
  } catch {
    // A proxy answered, in HTML.
  }
  const kind = told.type?.split('/').at(-1) ?? String(request.status);
  return new ApiError(request.status, kind, [told.title, told.detail].filter(Boolean).join(' ') || `the server answered ${request.status}`);
}
