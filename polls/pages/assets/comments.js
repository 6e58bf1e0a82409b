// Comments: written, deleted and older ones shown without leaving the page.
import { call } from "./api.js";
import { keep, kept } from "./kept.js";
import { cardOf } from "./poll.js";
import { loggedOut, tellAfter, tellIn } from "./refusal.js";
import { format, say } from "./words.js";

const section = document.getElementById("comments");
const list = section.querySelector(".comments");
const none = section.querySelector("[data-no-comments]");
const form = section.querySelector("[data-comment]");
const card = cardOf(document.querySelector(".poll"));
const path = `/api/v4/polls/${card.id}/comments`;
const keptAs = `comment.${card.id}`; // what could not be sent, for it had no account any more

if (form && !form.elements.body.value && kept(keptAs)) {
  form.elements.body.value = kept(keptAs);
  form.elements.body.dispatchEvent(new Event("input")); // counts it
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { body } = form.elements;
  const button = form.querySelector("button");
  const told = document.getElementById("body-error");
  told.textContent = "";
  body.removeAttribute("aria-invalid");
  button.disabled = true;
  try {
    const comment = await call("POST", path, { body: body.value, ...card.key });
    await showNewest(comment.commentID);
    form.reset();
    keep(keptAs, undefined);
    say("Your comment is there.");
  } catch (problem) {
    tellIn(told, problem);
    if (loggedOut(problem)) keep(keptAs, body.value);
    if (problem.field === "body") body.setAttribute("aria-invalid", "true");
    body.focus();
  }
  button.disabled = false;
});

document.getElementById("delete-comment").addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = event.submitter;
  const item = button.closest(".comment");
  if (!button.dataset.sure) {
    button.dataset.sure = "yes";
    button.firstChild.textContent = "Really delete";
    say("Press again to delete the comment.");
    return;
  }
  try {
    await call("DELETE", `${path}/${button.value}`, card.key);
    const neighbour = item.nextElementSibling ?? item.previousElementSibling;
    (neighbour?.querySelector("a") ?? form?.elements.body)?.focus();
    item.remove();
    step(-1);
    none.hidden = Boolean(neighbour ?? section.querySelector("[data-older]"));
    say("The comment is deleted.");
  } catch (problem) {
    tellAfter(item, problem);
  }
});

section.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-older]");
  if (!link) return;
  event.preventDefault();
  const page = await fetchPage(link.href);
  if (!page) return location.assign(link.href);
  const items = fresh(page);
  list.prepend(...items);
  const older = page.querySelector("[data-older]");
  if (older) link.replaceWith(older);
  else link.parentElement.remove();
  items[0]?.querySelector("a").focus();
  document.dispatchEvent(new Event("stoa:added"));
});

// showNewest takes the comments that are not here yet out of the page as it
// now is, so that there is one template for both ways.
async function showNewest(id) {
  const page = await fetchPage(location.pathname + location.search);
  if (!page) return location.assign(`#comment-${id}`);
  list.append(...fresh(page));
  none.hidden = true;
  section.querySelector("[data-comment-count]").textContent = page.querySelector("[data-comment-count]").textContent;
  document.dispatchEvent(new Event("stoa:added"));
}

async function fetchPage(address) {
  const response = await fetch(address).catch(() => undefined);
  return response?.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : undefined;
}

const fresh = (page) => [...page.querySelectorAll(".comment")].filter((item) => !document.getElementById(item.id));

function step(by) {
  const count = section.querySelector("[data-comment-count]");
  count.textContent = format(Number(count.textContent.replace(/\D/g, "")) + by);
}
