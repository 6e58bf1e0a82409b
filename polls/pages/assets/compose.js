// The page that makes a poll.
import { draft, forgetDraft, keepDraft, keepPicture, picture } from "./draft.js";
import { publish } from "./publish.js";
import { tellIn } from "./refusal.js";
import { Stage } from "./stage.js";
import { say } from "./words.js";

const form = document.querySelector(".compose");
const find = (selector) => form.querySelector(selector);
const stage = new Stage(find("canvas"));
const files = [find("#picture"), find("#picture2")];
const panes = [...form.querySelectorAll("[data-pane]")];
const button = find("[type=submit]");
const modes = [...form.querySelectorAll("[name=mode]")];
const pageFields = ["first_image_context_url", "second_image_context_url"];
const textFields = ["caption", "choice1", "choice2", "tags", ...pageFields];
const checkFields = ["private", "first_public_domain", "second_public_domain"];
let made = {}; // what publish has done so far

// What the page shows follows the stage.
function showStage() {
  const two = stage.mode === 2;
  find("[data-stage]").hidden = stage.empty;
  for (const element of form.querySelectorAll("[data-second]")) element.hidden = !two;
  find("[data-swap]").hidden = !two || stage.empty;
  find("[data-first-label]").textContent = two ? "Left picture" : "Choose a picture";
  find("[data-first-source]").textContent = two ? "left picture" : "picture";
  find("[data-pane-label]").textContent = two ? "Left picture" : "Picture";
  panes.forEach((pane, i) => {
    pane.hidden = i >= stage.mode || !stage.panes[i].source;
    for (const slide of pane.querySelectorAll("[data-slide]")) slide.value = stage.panes[i][slide.dataset.slide];
  });
  files[0].required = false; // the stage knows better: a draft has no file
  for (const mode of modes) mode.checked = Number(mode.value) === stage.mode;
}

function keepAll() {
  keepDraft({
    texts: Object.fromEntries(textFields.map((name) => [name, form.elements[name].value])),
    checks: Object.fromEntries(checkFields.map((name) => [name, form.elements[name].checked])),
    mode: stage.mode,
    panes: stage.panes.map(({ zoom, x, y }) => ({ zoom, x, y })),
    made,
  });
}

async function restore() {
  const kept = draft();
  for (const [name, value] of Object.entries(kept.texts ?? {})) {
    const field = form.elements[name];
    if (value && !field.value) {
      field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  for (const [name, value] of Object.entries(kept.checks ?? {})) form.elements[name].checked ||= value;
  made = kept.made ?? {};
  const mode = kept.mode ?? 1;
  for (const index of [0, 1]) {
    const image = await picture(index);
    if (image) await stage.put(index, image);
    Object.assign(stage.panes[index], kept.panes?.[index]);
  }
  stage.mode = mode;
  stage.draw();
  showStage();
}

async function put(index, file) {
  tell("picture", "");
  try {
    await stage.put(index, file);
    keepPicture(index, stage.panes[index].source);
    say("The picture is in place.");
  } catch {
    tell("picture", `${file.name || "This file"} is not a picture that your browser can read. Try a JPEG or PNG.`);
  }
}

// putAll places dropped or pasted files where there is room.
async function putAll(list) {
  const pictures = [...list].filter((file) => file.type.startsWith("image/"));
  if (pictures.length > 1 && stage.mode === 1) setMode(2);
  for (const file of pictures.slice(0, stage.mode)) {
    const free = stage.panes.slice(0, stage.mode).findIndex((pane) => !pane.source);
    await put(Math.max(0, free), file);
  }
}

function setMode(mode) {
  stage.mode = mode;
  stage.change();
}

function tell(field, message) {
  tellProblem({ field, message });
}

function tellProblem(problem) {
  const { field, message } = problem;
  const place = document.getElementById(`${field}-error`) ?? find("[data-problem]");
  tellIn(place, problem);
  if (message) place.closest("details")?.setAttribute("open", "");
  const input = document.getElementById(field);
  if (!input) return;
  if (message) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

function words() {
  const { caption, choice1, choice2, tags } = form.elements;
  return { caption: caption.value, choice1: choice1.value, choice2: choice2.value, tags: tags.value, private: form.elements.private.checked };
}

function sources() {
  const given = {};
  for (const which of stage.mode === 2 ? ["first", "second"] : ["first"]) {
    const page = form.elements[`${which}_image_context_url`].value.trim();
    if (page) given[`${which}_image_context_url`] = page;
    if (form.elements[`${which}_public_domain`].checked) given[`${which}_public_domain`] = true;
  }
  return given;
}

function onStep(step, percent) {
  find("[data-sending]").hidden = false;
  find("[data-step]").textContent = step;
  find("progress").value = percent;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  for (const field of ["picture", "caption", "choice1", "choice2", "tags", ...pageFields, "problem"]) tell(field, "");
  if (!stage.ready) {
    tell("picture", stage.mode === 2 ? "Choose both pictures first." : "Choose a picture first.");
    files[stage.panes[0].source ? 1 : 0].focus();
    return;
  }
  button.disabled = true;
  try {
    const address = await publish(made, words(), sources(), await stage.blob(), onStep);
    forgetDraft();
    location.assign(address);
  } catch (problem) {
    find("[data-sending]").hidden = true;
    tellProblem(problem);
    button.textContent = "Try again";
    button.disabled = false;
    (document.getElementById(problem.field) ?? button).focus();
    keepAll();
  }
});

form.addEventListener("input", (event) => {
  const slide = event.target.dataset.slide;
  if (slide) {
    stage.panes[Number(event.target.closest("[data-pane]").dataset.pane)][slide] = Number(event.target.value);
    stage.draw();
  }
  keepAll();
});
stage.addEventListener("change", () => {
  showStage();
  keepAll();
});
modes.forEach((mode) => mode.addEventListener("change", () => setMode(Number(mode.value))));
files.forEach((input, i) => input.addEventListener("change", () => input.files[0] && put(i, input.files[0])));
find("[data-swap] button").addEventListener("click", () => {
  const { first_image_context_url: page1, second_image_context_url: page2, first_public_domain: free1, second_public_domain: free2 } = form.elements;
  [page1.value, page2.value] = [page2.value, page1.value];
  [free1.checked, free2.checked] = [free2.checked, free1.checked];
  for (const input of files) input.value = ""; // they would name the wrong files
  stage.swap();
  stage.panes.forEach((pane, i) => keepPicture(i, pane.source));
  say("Left and right are swapped.");
});
find("[data-clear]").addEventListener("click", () => {
  forgetDraft();
  location.reload();
});
addEventListener("pageshow", (event) => {
  if (event.persisted && button.disabled) location.reload(); // as it was left: published
});
form.addEventListener("dragover", (event) => event.preventDefault());
form.addEventListener("drop", (event) => {
  event.preventDefault();
  putAll(event.dataTransfer.files);
});
document.addEventListener("paste", (event) => event.clipboardData.files.length && putAll(event.clipboardData.files));

showStage();
restore();
