// What was refused, where it can be read.
import { say } from "./words.js";

export const loggedOut = ({ code }) => code === "authentication_required" || code === "invalid_token";

export const loginAddress = () => `/login?next=${encodeURIComponent(location.pathname + location.search)}`;

// tellIn shows a refusal in its place. Whose login ran out meanwhile is shown the
// way back here.
export function tellIn(place, problem) {
  if (!loggedOut(problem)) {
    place.textContent = problem.message;
    return;
  }
  place.replaceChildren("You are logged out. ", Object.assign(document.createElement("a"), { href: loginAddress(), textContent: "Log in" }));
}

// tellAfter is tellIn for an element that has no place for it: a line at its end.
export function tellAfter(element, problem) {
  takeBack(element);
  const line = Object.assign(document.createElement("p"), { className: "error" });
  tellIn(line, problem);
  element.append(line);
  say(line.textContent);
}

export function takeBack(element) {
  element.querySelector(":scope > .error")?.remove();
}
