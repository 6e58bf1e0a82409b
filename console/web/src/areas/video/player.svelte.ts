import { session } from '../../session.svelte';

const id = '1'; // there is one player in a view

// PlayerLink speaks with a framed player page by its messages. A theme may have turned
// them off: then it never becomes ready.
export class PlayerLink {
  ready = $state(false);
  time = $state(0); // seconds
  #frame: HTMLIFrameElement | undefined;
  #wanted: number | undefined; // to be shown once it is ready

  // address is that of a player page, such that it listens to this one.
  static address(page: string): string {
    return `${page}#api;sdkPlayerId:${id};sdkOrigin:${btoa(location.origin)}`;
  }

  // listen hears a frame until what it returns is called.
  listen(frame: HTMLIFrameElement): () => void {
    this.#frame = frame;
    this.ready = false;
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      if (source !== frame.contentWindow) return;
      const { type, sdkPlayerId, currentTime } = Object(data) as Record<string, unknown>;
      if (sdkPlayerId !== id) return;
      if (type === 'ready') {
        this.ready = true;
        if (this.#wanted !== undefined) this.show(this.#wanted);
      }
      if (type === 'timeupdate' && typeof currentTime === 'number') this.time = currentTime;
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }

  // show stops at a place and shows its picture.
  show(seconds: number): void {
    this.time = seconds;
    this.#wanted = this.ready ? undefined : seconds;
    if (!this.ready) return;
    for (const message of [{ message: 'pause' }, { message: 'hidePoster' }, { message: 'setCurrentTime', currentTime: seconds }]) this.#send(message);
  }

  #send(message: object): void {
    this.#frame?.contentWindow?.postMessage({ ...message, sdkPlayerId: id }, new URL(session().videoUrl).origin);
  }
}
