// Ordering a poll set: drag, or the buttons of each row. Only saving goes to
// the server.
import { call } from "./api.js";
import { say } from "./words.js";

const form = document.querySelector("[data-set]");
const order = form.querySelector("[data-order]");
const blank = document.getElementById("set-poll");

const caption = (row) => row.querySelector(".set-caption").textContent;
const inSet = (id) => order.querySelector(`[data-id="${CSS.escape(id)}"]`);
const place = (row) => [...order.children].indexOf(row) + 1;

// What would be saved. A form that comes back refused is not saved as it stands.
const state = () => JSON.stringify([...new FormData(form)].filter(([name]) => name !== "add"));
let saved = form.querySelector("[aria-invalid]") ? "" : state();
addEventListener("beforeunload", (event) => {
  if (state() !== saved) event.preventDefault(); // the browser asks
});

form.addEventListener("submit", async (event) => {
  const pressed = event.submitter;
  const row = pressed?.closest("[data-order] > li");
  if (!pressed || pressed.name === "save" || pressed.name === "delete_set") {
    saved = state();
    return;
  }
  event.preventDefault();
  switch (pressed.name) {
    case "move_up": return move(row, row.previousElementSibling, "before", pressed);
    case "move_down": return move(row, row.nextElementSibling, "after", pressed);
    case "remove": return remove(row);
    case "add_own": return addOwn(pressed.value);
    case "add_polls": return addTyped();
  }
});

// Enter in the field adds, it does not save.
form.elements.add.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  addTyped();
});

function move(row, other, side, button) {
  if (!other) return say(`${caption(row)} is already ${side === "before" ? "first" : "last"}.`);
  other[side](row);
  button.focus(); // moving an element takes its focus away
  say(`${caption(row)}, now ${place(row)} of ${order.children.length}.`);
}

function remove(row) {
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  (next?.querySelector("[name=remove]") ?? form.elements.add).focus();
  showMembers();
  say(`${caption(row)} is out of the set.`);
}

async function addTyped() {
  const field = form.elements.add;
  const ids = field.value.split(/[\s,]+/).filter(Boolean).map((text) => /(?:^|\/)(\d+)(?:[-?#/]|$)/.exec(text)?.[1] ?? text);
  if (await add(ids)) field.value = "";
}

function addOwn(id) {
  if (!inSet(id)) add([id]);
}

// add puts polls at the end. It answers whether all of them could be.
async function add(ids) {
  const told = document.getElementById("add-error");
  told.textContent = "";
  for (const id of ids) {
    if (inSet(id)) {
      told.textContent = `Poll ${id} is already in the set.`;
      continue;
    }
    try {
      const poll = await call("GET", `/api/v4/polls/${encodeURIComponent(id)}`);
      if (!poll.public) throw new Error("only public polls can be in a set");
      order.append(rowOf(poll));
      showMembers();
      say(`${poll.caption} is added, ${order.children.length} of ${order.children.length}.`);
    } catch (problem) {
      told.textContent = `Poll ${id}: ${problem.message}`;
      return false;
    }
  }
  return true;
}

// showMembers says in the list of own polls which ones are in the set. A disabled
// button would drop the focus, so it only says that it is disabled.
function showMembers() {
  form.querySelector("[data-none]").hidden = order.children.length > 0;
  for (const button of form.querySelectorAll("[name=add_own]")) {
    const there = Boolean(inSet(button.value));
    button.firstChild.textContent = there ? "In the set" : "Add";
    button.ariaDisabled = there;
  }
}
showMembers();

function rowOf(poll) {
  const row = blank.content.firstElementChild.cloneNode(true);
  row.dataset.id = poll.pollID;
  row.querySelector("[name=poll_id]").value = poll.pollID;
  row.querySelector(".set-caption").textContent = poll.caption;
  for (const button of row.querySelectorAll("button")) {
    button.value = poll.pollID;
    button.setAttribute("aria-label", button.getAttribute("aria-label") + poll.caption);
  }
  if (poll.image) {
    const image = Object.assign(new Image(64, 48), { src: poll.image.url, alt: "" });
    row.querySelector(".thumb").replaceWith(image);
  }
  return row;
}

// Dragging by pointer works with a finger too, which the drag events of HTML do not.
let dragged;
order.addEventListener("pointerdown", (event) => {
  if (!event.target.closest(".grip")) return;
  event.preventDefault();
  dragged = event.target.closest("li");
  dragged.classList.add("dragged");
  order.setPointerCapture(event.pointerId);
});
order.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  for (const row of order.children) {
    const box = row.getBoundingClientRect();
    if (row === dragged || event.clientY < box.top || event.clientY > box.bottom) continue;
    const down = row.compareDocumentPosition(dragged) & Node.DOCUMENT_POSITION_PRECEDING;
    const past = event.clientY > box.top + box.height / 2;
    if (down && past) row.after(dragged);
    else if (!down && !past) row.before(dragged);
    return;
  }
});
for (const end of ["pointerup", "pointercancel"]) {
  order.addEventListener(end, () => {
    if (!dragged) return;
    dragged.classList.remove("dragged");
    say(`${caption(dragged)}, now ${place(dragged)} of ${order.children.length}.`);
    dragged = undefined;
  });
}
