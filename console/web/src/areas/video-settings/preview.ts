import type { Look } from './theme';

// The player page shows a theme that is not saved yet: it is told by the messages of the
// official player SDK, which it takes from the window around it alone, and only from the
// origin that its address names.
const playerId = '1';

// previewAddress is a player page that listens to this one, and whose viewer counts for
// nothing in the analytics.
export function previewAddress(player: string): string {
  return `${player}#api;uncounted;hotkeys:false;sdkPlayerId:${playerId};sdkOrigin:${btoa(location.origin)}`;
}

// isListening tells whether a message is that of a player that begins to listen.
export function isListening(event: MessageEvent, frame: HTMLIFrameElement, origin: string): boolean {
  const { type, sdkPlayerId } = Object(event.data) as Record<string, unknown>;
  return event.source === frame.contentWindow && event.origin === origin && type === 'sdkSync' && String(sdkPlayerId) === playerId;
}

// show makes the player look like a theme.
export function show(frame: HTMLIFrameElement, origin: string, look: Look, logo: string): void {
  const say = (message: string, more: Record<string, unknown> = {}) =>
    frame.contentWindow?.postMessage({ message, sdkPlayerId: playerId, ...more }, origin);
  say('setTheme', { theme: { ...look, logo } });
  say(look.enableControls ? 'showControls' : 'hideControls');
  say(look.hideTitle ? 'hideTitle' : 'showTitle');
  say('setLoop', { loop: look.forceLoop });
  say('setAutoplay', { autoplay: look.forceAutoplay });
}
