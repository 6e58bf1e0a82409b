// Pages that are open at the same time, and pages that are looked at again.

// A channel that is open can keep a browser from keeping the page for Back.
let channel;
const listeners = [];

function open() {
  channel ??= new BroadcastChannel("votes");
  channel.onmessage = (event) => listeners.forEach((hear) => hear(event.data));
}

addEventListener("pageshow", open);
addEventListener("pagehide", () => {
  channel?.close();
  channel = undefined;
});
open();

// tellTabs tells the other tabs of this browser, hearTabs is told.
export const tellTabs = (news) => channel?.postMessage(news);
export const hearTabs = (hear) => listeners.push(hear);

// whenSeenAgain calls look when what the page shows may be old: after Back, for which
// browsers keep pages as they were, after another tab, and after a time without connection.
export function whenSeenAgain(look) {
  document.addEventListener("visibilitychange", () => document.hidden || look());
  addEventListener("pageshow", (event) => event.persisted && look());
  addEventListener("online", look);
  if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") look();
}
