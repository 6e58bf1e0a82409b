// One menu at a time, opened by a button of the bar. Arrow keys, Home and End go
// through it, Escape closes it, and the focus goes back where it was.
import { $, tell } from "./page.js";

const menu = $("menu");
let opener; // the button whose menu is open

export const menuOpen = () => opener !== undefined;

// attachMenu gives a button a menu. build makes its items anew each time; an item
// has a label and either choose, or open, which builds what stands behind it, or
// href. checked makes it one of several of which one holds.
export function attachMenu(button, title, build) {
  button.setAttribute("aria-controls", "menu");
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    if (opener === button) return closeMenu();
    opener?.setAttribute("aria-expanded", "false");
    opener = button;
    button.setAttribute("aria-expanded", "true");
    show(title, build);
  });
}

export function closeMenu() {
  if (!opener) return;
  const hadFocus = menu.contains(document.activeElement);
  opener.setAttribute("aria-expanded", "false");
  if (hadFocus) opener.focus();
  opener = undefined;
  menu.hidden = true;
  tell("menu");
}

async function show(title, build, back) {
  const whose = opener;
  const items = await build();
  if (opener !== whose) return; // closed while the items were fetched
  menu.setAttribute("aria-label", title);
  menu.replaceChildren(...(back ? [element({ label: title, choose: back, kind: "back" })] : []), ...items.map((item) => element(item, () => show(title, build, back))));
  menu.hidden = false;
  tell("menu");
  (menu.querySelector('[aria-checked="true"]') ?? menu.querySelector(".item:not(.back)") ?? menu.firstElementChild)?.focus();
}

function element({ label, value, lang, checked, choose, open, href, kind }, here) {
  const item = document.createElement(href ? "a" : "button");
  item.className = `item ${kind ?? ""}`.trim();
  item.setAttribute("role", checked === undefined ? "menuitem" : "menuitemradio");
  if (checked !== undefined) item.setAttribute("aria-checked", String(checked));
  if (kind === "back") item.setAttribute("aria-label", `${label}, back`);
  const text = document.createElement("bdi");
  text.textContent = label;
  if (lang) text.lang = lang;
  item.append(text);
  if (value) {
    const beside = document.createElement("span");
    beside.className = "value";
    beside.textContent = value;
    item.append(beside);
  }
  if (href) Object.assign(item, { href, download: "" });
  if (open) {
    item.setAttribute("aria-haspopup", "menu");
    item.addEventListener("click", () => show(label, open, here));
  } else {
    item.addEventListener("click", () => {
      if (kind !== "back") closeMenu();
      choose?.();
    });
  }
  return item;
}

menu.addEventListener("keydown", (event) => {
  const items = [...menu.children];
  const at = items.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to !== undefined) items[(to + items.length) % items.length].focus();
  else if (event.key === "Escape" || event.key === "Tab") closeMenu();
  else if (event.key === "ArrowLeft" && items[0].classList.contains("back")) items[0].click();
  else if (event.key === "ArrowRight" && items[at]?.hasAttribute("aria-haspopup")) items[at].click();
  else if (event.key !== "Enter" && event.key !== " ") return;
  else {
    event.stopPropagation(); // the button does it itself
    return;
  }
  event.preventDefault();
  event.stopPropagation();
});

document.addEventListener("pointerdown", ({ target }) => {
  if (opener && !menu.contains(target) && !opener.contains(target)) closeMenu();
});
window.addEventListener("blur", closeMenu);
