// A view is told once, when half of the poll has been visible for one second. The
// time that a poll was visible before the tap goes with the vote.
let inView = false;
let halfInView = false;
let viewTimer = 0;
let viewTold = !sent.embedToken;
let visibleSince = 0;
let visibleBefore = 0;

function watchView() {
  new IntersectionObserver((entries) => {
    const { isIntersecting, intersectionRatio } = entries.at(-1);
    inView = isIntersecting;
    halfInView = intersectionRatio >= 0.5;
    look();
  }, { threshold: [0, 0.5] }).observe(main);
  document.addEventListener("visibilitychange", look);
}

function look() {
  const open = document.visibilityState === "visible";
  const now = performance.now();
  if (inView && open) {
    visibleSince ||= now;
  } else if (visibleSince) {
    visibleBefore += now - visibleSince;
    visibleSince = 0;
  }
  if (viewTold) return;
  if (!halfInView || !open) {
    clearTimeout(viewTimer);
    viewTimer = 0;
  } else {
    viewTimer ||= setTimeout(tellView, 1000);
  }
}

const visibleMilliseconds = () => Math.round(visibleBefore + (visibleSince && performance.now() - visibleSince));

// startVisibleTime goes on from the time that a poll was visible before.
function startVisibleTime(before = 0) {
  visibleBefore = before;
  visibleSince &&= performance.now();
}

async function tellView() {
  viewTold = true;
  let id;
  for (let tries = 0; !id; tries++) {
    try {
      id = await viewer();
    } catch (trouble) {
      const wait = retryIn(trouble, tries);
      if (!wait) return; // nobody can be named; a vote will tell of the view
      await pause(wait);
    }
  }
  const view = { event: "view", embed_token: sent.embedToken, view_id: sent.viewID, anonymous_user_id: id };
  const address = "/api/v4/embeds/beacon";
  const body = JSON.stringify(view);
  if (!navigator.sendBeacon(address, body)) {
    fetch(address, { method: "POST", body, credentials: "omit", keepalive: true }).catch(() => {});
  }
}
