// What all modules share: the elements of the page, its data, and ways to tell.
export const $ = (id) => document.getElementById(id);
export const player = $("player");
export const video = $("video");
export const data = JSON.parse($("data").textContent);
data.captions ??= [];
data.chapters ??= [];

// Modules tell each other what happened through the player's element:
//   intent    somebody is about to play
//   attached  the video has a source; detail.native: the browser plays HLS itself
//   levels    there are qualities, or the choice among them changed
//   level     the picture has another size
//   chapters  their names are known
//   menu      one was opened or closed
//   controls  some were shown or hidden
//   grown     a playlist has more
//   lost      a live stream could not be loaded
//   trouble   it does not go on; detail is an error code of the analytics
export const tell = (name, detail) => player.dispatchEvent(new CustomEvent(name, { detail }));
export const on = (name, f) => player.addEventListener(name, f);

export function icon(button, name, label) {
  button.querySelector("use").setAttribute("href", `#i-${name}`);
  button.setAttribute("aria-label", label);
  button.title = label;
}

// say is for those who listen. The same words twice are still said twice.
export function say(text) {
  const says = $("says");
  says.textContent = says.textContent === text ? `${text}\u00a0` : text;
}

// flash is for those who look, after a key that changes nothing they would see.
let flashing;
export function flash(text) {
  const bubble = $("flash");
  bubble.textContent = text;
  bubble.hidden = false;
  clearTimeout(flashing);
  flashing = setTimeout(() => { bubble.hidden = true; }, 900);
  say(text);
}
