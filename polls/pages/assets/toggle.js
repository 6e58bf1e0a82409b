// Buttons that switch something on and off: favorite, follow.
import { call } from "./api.js";
import { loginAddress, takeBack, tellAfter } from "./refusal.js";
import { format } from "./words.js";

for (const form of document.querySelectorAll("[data-toggle]")) {
  const button = form.querySelector("button");
  let on = button.getAttribute("aria-pressed") === "true"; // as the server knows it
  let wanted = on;
  let settling = false;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!("account" in document.body.dataset)) {
      location.href = loginAddress();
      return;
    }
    wanted = !wanted;
    show();
    settle();
  });

  function show() {
    button.setAttribute("aria-pressed", wanted);
    if (button.dataset.on) button.firstChild.textContent = wanted ? button.dataset.on : button.dataset.off;
    form.elements.action.value = form.elements.action.value.replace(/^(un)?/, wanted ? "un" : "");
  }

  // settle makes the server agree, one request at a time: the last press counts.
  async function settle() {
    if (settling) return;
    settling = true;
    takeBack(form);
    try {
      while (on !== wanted) {
        const answer = await call(on ? "DELETE" : "POST", form.dataset.toggle, keyOf(form));
        on = !on;
        count(answer.favoriteCount);
      }
    } catch (problem) {
      wanted = on;
      show();
      tellAfter(form, problem);
    }
    settling = false;
  }

  // count shows a number that the server gave, or steps the one that is there.
  function count(given) {
    const place = form.querySelector("[data-count]") ?? document.querySelector("[data-followers]");
    place.textContent = format(given ?? Number(place.textContent.replace(/\D/g, "")) + (on ? 1 : -1));
  }
}

// keyOf is the parameter that opens a private poll.
function keyOf(form) {
  const key = form.closest(".poll-page")?.querySelector("[data-key]")?.dataset.key;
  return key ? { poll_key: key } : {};
}
