// Share and copy buttons.
import { say } from "./words.js";

document.addEventListener("click", async (event) => {
  const share = event.target.closest("[data-share]");
  const copy = event.target.closest("[data-copy]");
  if (share && navigator.share) {
    await navigator.share({ url: share.dataset.share, title: share.dataset.title }).catch(() => {}); // changed their mind
  } else if (share) {
    if (await copied(share.dataset.share)) flash(share, "Link copied");
    else offerLink(share);
  } else if (copy) {
    const text = copy.closest(".copyable").querySelector(copy.dataset.copy);
    if (await copied(text.textContent)) flash(copy, "Copied");
    else offer(() => getSelection().selectAllChildren(text));
  }
});

// copied is false where a page may not do that: without https, or by choice.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

const flashing = new WeakMap(); // buttons that say something for a moment

function flash(button, message) {
  const label = button.querySelector("span:not(.unseen)") ?? button.firstChild;
  const { before, timer } = flashing.get(button) ?? { before: label.textContent };
  clearTimeout(timer);
  label.textContent = message;
  say(message);
  flashing.set(button, {
    before,
    timer: setTimeout(() => {
      label.textContent = before;
      flashing.delete(button);
    }, 2500),
  });
}

function offerLink(button) {
  const field = button.parentElement.querySelector("input[readonly]")
    ?? Object.assign(document.createElement("input"), { className: "input", readOnly: true, value: button.dataset.share, ariaLabel: "Link to this poll" });
  button.parentElement.append(field);
  offer(() => field.select());
}

// offer selects a text to be copied by hand.
function offer(select) {
  select();
  say("Copying is not allowed here. The text is selected: copy it yourself.");
}
