// Files in WebVTT that go with a video: captions and chapters, one for each language.
import { ApiError, asApiError } from '../../api/error';
import { video as api } from '../../api/video';
import { load } from '../../load.svelte';
import { tell } from '../../ui/toasts.svelte';
import { everything } from './videos';
import { isVtt } from './vtt';

export interface Track {
  src: string; // that of a private video works once
  language: string;
  name: string;
  isDefault: boolean;
}

interface JsonTrack {
  src: string;
  srclang?: string; // of captions
  language?: string; // of chapters
  languageName?: string;
  default?: boolean;
}

const maxSize = 10 * 2 ** 20;

// tracksOf reads and changes those of a video. changed is called after a change.
export function tracksOf(videoId: () => string, kind: 'captions' | 'chapters', changed: () => void) {
  const path = () => `/videos/${videoId()}/${kind}`;
  const list = load(async (signal) => (await everything<JsonTrack>(path(), signal)).map(asTrack));
  let busy = $state('');

  async function change(language: string, act: () => Promise<unknown>, told: string): Promise<boolean> {
    busy = language;
    try {
      await act();
      tell(told);
      await list.reload();
      changed();
      return true;
    } catch (thrown) {
      tell(asApiError(thrown).message, { bad: true });
      return false;
    } finally {
      busy = '';
    }
  }
  return {
    list,
    // The language that something is being done to.
    get busy() {
      return busy;
    },
    put: (language: string, text: string) => change(language, () => api.post(`${path()}/${encodeURIComponent(language)}`, formOf(text)), `Saved: ${kind} in ${language}`),
    putFile: (language: string, file: File) =>
      change(language, async () => api.post(`${path()}/${encodeURIComponent(language)}`, formOf(await readVtt(file))), `Uploaded: ${kind} in ${language}`),
    setDefault: (language: string, isDefault: boolean) =>
      change(language, () => api.patch(`${path()}/${encodeURIComponent(language)}`, { default: isDefault }), isDefault ? 'Shown by default' : 'Not shown by default'),
    drop: async (language: string) => {
      await api.delete(`${path()}/${encodeURIComponent(language)}`);
      await list.reload();
      changed();
    },
  };
}

function asTrack({ src, srclang, language = srclang ?? '', languageName = '', default: isDefault = false }: JsonTrack): Track {
  return { src, language, name: languageName, isDefault };
}

function formOf(text: string): FormData {
  const form = new FormData();
  form.append('file', new Blob([text], { type: 'text/vtt' }), 'track.vtt');
  return form;
}

// The API takes any file, and one that is not WebVTT would simply not be shown.
async function readVtt(file: File): Promise<string> {
  if (file.size > maxSize) throw new ApiError(0, 'too_large', 'The file is longer than 10 MiB');
  const text = await file.text();
  if (!isVtt(text)) throw new ApiError(0, 'not_vtt', `${file.name} is not WebVTT: its first line has to be WEBVTT. Convert it first, for instance with ffmpeg -i FILE.srt FILE.vtt`);
  return text;
}
