// From words and a picture to a poll: create it, upload, announce. Each step
// that is done stays done, so that trying again goes on where it stopped.
import { call, Problem } from "./api.js";

// publish answers the address of the poll. The work so far is in made, which
// the caller keeps between attempts; onStep hears of progress in percent.
export async function publish(made, words, sources, blob, onStep) {
  try {
    onStep("Making the poll", 0);
    await create(made, words);
    await upload(made, blob, (percent) => onStep("Sending the picture", percent));
    onStep("Preparing the picture", 100);
    await call("POST", `/api/v4/polls/${made.pollID}/image_uploaded`, { image_id: made.imageID, ...sources });
    return made.url;
  } catch (problem) {
    if (problem.code === "image_invalid") problem.field = "picture";
    if (problem.status === 404) made.pollID = made.text = undefined; // swept up meanwhile: begin anew
    throw problem;
  }
}

async function create(made, words) {
  const text = JSON.stringify(words);
  if (made.pollID && made.text === text) return;
  if (made.pollID) await call("DELETE", `/api/v4/polls/${made.pollID}`).catch(() => {}); // unseen, and swept up one day anyway
  if (made.text !== text) Object.assign(made, { text, attempt: crypto.getRandomValues(new Uint32Array(4)).join("-") });
  made.pollID = undefined;
  const poll = await call("POST", "/api/v4/polls", { ...words, image_content_type: "image/jpeg" }, { headers: { "Idempotency-Key": made.attempt } });
  Object.assign(made, { pollID: poll.pollID, imageID: poll.imageID, uploadData: poll.uploadData, url: poll.url });
}

async function upload(made, blob, onPercent) {
  try {
    await send(made.uploadData, blob, onPercent);
  } catch (problem) {
    if (problem.status !== 403) throw problem;
    if (await renew(made)) await send(made.uploadData, blob, onPercent);
  }
}

// renew gets another form, since one is good for an hour only. It answers
// false when the picture is already there.
async function renew(made) {
  try {
    made.uploadData = (await call("POST", `/api/v4/polls/${made.pollID}/upload_data`)).uploadData;
    return true;
  } catch (problem) {
    if (problem.code === "already_ready") return false;
    throw problem;
  }
}

// send posts the form as the storage wants it: its fields unchanged, then the
// file. Only XMLHttpRequest tells how much has gone.
function send({ postUrl, formData }, blob, onPercent) {
  const form = new FormData();
  for (const [name, value] of Object.entries(formData)) form.append(name, value);
  form.append("file", blob, "picture.jpeg");
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("POST", postUrl);
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) onPercent(Math.round(100 * event.loaded / event.total));
    });
    const refuse = (message) => failed(new Problem(request.status, { code: "upload", message }));
    request.addEventListener("load", () => {
      if (request.status >= 200 && request.status < 300) done();
      else refuse("The picture was not accepted. Try again.");
    });
    request.addEventListener("error", () => refuse("The connection broke while sending. Try again: nothing is lost."));
    request.send(form);
  });
}
