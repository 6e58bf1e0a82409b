// The polls for a test: a service on a free port and a database of its own, and
// what tests put into it through the API.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { picture } from "./picture.js";
import { startStoa } from "./stoa.js";

export const password = "correct horse battery";
const colours = [[[232, 176, 75], [70, 110, 140]], [[190, 70, 50], [225, 205, 170]], [[240, 235, 220], [60, 95, 70]], [[95, 60, 110], [220, 190, 120]]];

// startPolls returns when the service answers. Its limits are those that are
// shipped; "off" is for tests that ask more than a person would.
export async function startPolls({ limits = "on" } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "stoa-browser-"));
  const { addresses, stop } = await startStoa("polls", folder, {
    STOA_LISTEN: "127.0.0.1:0", STOA_SECOND_LISTEN: "off", STOA_DATA: path.join(folder, "data"), STOA_LIMITS: limits,
    DEBUG_HOST: "127.0.0.1", DEBUG_PORT: "0", DISABLE_STATS: "true",
  }, "web");
  return new Polls(`http://${addresses.web}`, async () => {
    await stop();
    await rm(folder, { recursive: true });
  });
}

// Polls is those of a server that runs already.
export class Polls {
  made = 0;

  constructor(origin, stop) {
    Object.assign(this, { origin, stop });
  }

  async call(method, address, parameters = {}) {
    const url = new URL(`/api/v4${address}`, this.origin);
    const request = { method };
    if (method === "GET") {
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    } else {
      Object.assign(request, { headers: { "Content-Type": "application/json" }, body: JSON.stringify(parameters) });
    }
    const response = await fetch(url, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : {};
  }

  // signUp makes an account and answers its token.
  async signUp(username, profile = {}) {
    const { authToken } = await this.call("POST", "/users", { username, email: `${username}@example.com`, password, ...profile });
    return authToken;
  }

  // logIn makes a browser's context that of an account.
  async logIn(context, username) {
    await context.request.post(`${this.origin}/login`, {
      form: { email_or_username: username, password }, headers: { Origin: this.origin }, maxRedirects: 0,
    });
  }

  // poll makes one that is ready.
  async poll(auth_token, [caption, choice1, choice2], more = {}) {
    const poll = await this.call("POST", "/polls", { auth_token, caption, choice1, choice2, image_content_type: "image/png", ...more });
    const form = new FormData();
    for (const [name, value] of Object.entries(poll.uploadData.formData)) form.append(name, value);
    form.append("file", new Blob([picture(colours[this.made++ % colours.length])], { type: "image/png" }), "picture.png");
    const response = await fetch(poll.uploadData.postUrl, { method: "POST", body: form });
    if (!response.ok) throw new Error(`upload: ${response.status} ${await response.text()}`);
    await this.call("POST", `/polls/${poll.pollID}/image_uploaded`, { auth_token, image_id: poll.imageID });
    return poll;
  }

  // vote is that of somebody new, without an account.
  async vote(pollID, option, more = {}) {
    const { anonymousUserID } = await this.call("GET", "/users/me");
    return this.call("POST", `/polls/${pollID}/votes`, { option, anonymous_user_id: anonymousUserID, ...more });
  }

  // frame is the address of a publisher's embed page.
  frame(publisher, target) {
    return `${this.origin}/publishers/${publisher}/embedded_polls/iframe?${new URLSearchParams(target)}`;
  }
}
