// What the server says of a video that does not come: that it is there, that it is to
// be waited for, or that it is over with.
import { data } from "./page.js";

const refusals = [401, 403, 404, 410];
const again = 60_000; // ms

// verdict is "there", "waiting" or "over": failed, deleted, or not for this viewer any
// more. No answer is no reason to give up.
export async function verdict() {
  try {
    const response = await fetch(data.hls, { cache: "no-store", credentials: "same-origin" });
    if (refusals.includes(response.status) || response.headers.get("X-Encoding") === "failed") return "over";
    return response.status === 200 && (await response.text()).startsWith("#EXTM3U") ? "there" : "waiting";
  } catch {
    return "waiting";
  }
}

// lookAgain loads the page anew, which then says what is the matter, but not over and
// over should it say nothing. When it did is in the history, as frames may have no
// storage. The token of a private video is spent and frames may have no cookies: there
// the session is in the address.
export function lookAgain() {
  if (history.state?.looked > Date.now() - again) return;
  const address = new URL(location.href);
  const session = new URL(data.hls, address).searchParams.get("avh");
  if (session && window.parent !== window) address.searchParams.set("avh", session);
  history.replaceState({ looked: Date.now() }, "", address);
  location.reload();
}
