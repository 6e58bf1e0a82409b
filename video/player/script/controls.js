// What of the player is to be seen: asked for by the address, the theme, or the
// site around.
import { player, tell } from "./page.js";
import { options } from "./options.js";

const off = new Set(); // names of single controls

export const isOff = (name) => off.has(name);

export function startControls() {
  player.classList.toggle("no-title", options.hideTitle);
  player.classList.toggle("no-poster", options.hidePoster);
  player.classList.toggle("chromeless", options.chromeless);
  player.classList.toggle("no-controls", options.hideControls);
}

// setControls shows or hides the named ones, or all together without names. Names
// that the player has no control for, such as chromecast, change nothing.
export function setControls(visible, names) {
  if (!Array.isArray(names)) {
    player.classList.toggle("no-controls", !visible);
    tell(visible ? "controlsenabled" : "controlsdisabled");
    return;
  }
  for (const name of names) {
    if (visible) off.delete(name);
    else off.add(name);
  }
  for (const element of player.querySelectorAll("[data-control]")) element.classList.toggle("off", off.has(element.dataset.control));
  tell("controls");
}

const colours = {
  text: "text", link: "link", linkHover: "link-hover", linkActive: "link-active", backgroundText: "background-text",
  trackPlayed: "track-played", trackUnplayed: "track-unplayed", trackBackground: "track-background",
  backgroundTop: "background-top", backgroundBottom: "background-bottom",
};

// setTheme takes colours, and leaves out what the browser does not know as one. It takes
// a logo too, which the official SDK does not send: who edits a theme sees it before it
// is saved.
export function setTheme(theme) {
  if (typeof theme?.logo === "string") setLogo(theme.logo);
  for (const [name, property] of Object.entries(colours)) {
    if (typeof theme?.[name] === "string" && CSS.supports("color", theme[name])) {
      document.documentElement.style.setProperty(`--${property}`, theme[name]);
    }
  }
}

// setLogo shows one that is stored here, for any theme, and no other picture; "" is none.
function setLogo(address) {
  const url = address && URL.canParse(address, location.href) ? new URL(address, location.href) : null;
  player.querySelector(".logo")?.remove();
  if (url?.origin !== location.origin || !url.pathname.startsWith("/logo/")) return;
  const logo = new Image();
  logo.className = "logo";
  logo.alt = "";
  logo.src = url.href;
  player.querySelector(".head").append(logo);
}

// setStyle is for the three properties of the picture that the SDK knows.
export function setStyle(query, property, value) {
  const element = { video: ".picture", ".vjs-poster": ".poster" }[query];
  const own = { transform: "transform", "object-fit": "object-fit", "background-size": "object-fit" }[property];
  const known = own === "object-fit" && value === "100% 100%" ? "fill" : String(value);
  if (element && own && CSS.supports(own, known)) player.querySelector(element)?.style.setProperty(own, known);
}
