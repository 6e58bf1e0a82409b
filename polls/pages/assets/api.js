// Calls of the JSON API. The cookies of this site say who is calling.

// Problem is a refusal. Its message is a sentence to be shown; field names the
// input.
export class Problem extends Error {
  constructor(status, { code, message, field }) {
    super(message.charAt(0).toUpperCase() + message.slice(1).replace(/\.?$/, "."));
    Object.assign(this, { status, code, field });
  }
}

// call answers the object of the API or throws a Problem.
export async function call(method, path, parameters = {}, { headers = {}, signal } = {}) {
  const address = new URL(path, location.origin);
  const request = { method, headers: { Accept: "application/json", ...headers }, signal };
  if (method === "GET") {
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  } else {
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(parameters);
  }
  let response;
  try {
    response = await fetch(address, request);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(0, { code: "offline", message: "No connection. Try again in a moment." });
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Problem(response.status, answer.error ?? { code: "internal", message: "Something went wrong. Try again in a moment." });
}

// callAsVoter is call for somebody who may have no account. A browser that the
// site does not know yet is given a cookie first, so that pages that are opened
// later know its votes. Where cookies do not stick, an id of the API takes its
// place.
export async function callAsVoter(method, path, parameters = {}) {
  const known = "voter" in document.body.dataset;
  for (const asking of withoutCookie ? [] : known ? [false, true] : [true]) {
    try {
      if (asking) await askForCookie();
      return await call(method, path, parameters);
    } catch (problem) {
      if (problem.code !== "authentication_required") throw problem;
    }
  }
  withoutCookie = true;
  try {
    return await call(method, path, { ...parameters, anonymous_user_id: await anonymousID() });
  } catch (problem) {
    if (problem.code !== "invalid_anonymous_user_id") throw problem;
    forget();
    return call(method, path, { ...parameters, anonymous_user_id: await anonymousID() });
  }
}

// askForCookie asks once: a second id would be a second voter. It may be refused,
// and then the API says why.
const askForCookie = () => (asked ??= fetch("/viewer", { method: "POST" }).catch(() => {}));

let asked;
let withoutCookie = false;
const key = "anonymous_user_id";
let minted;

function anonymousID() {
  try {
    const kept = localStorage.getItem(key);
    if (kept) return kept;
  } catch {
    // Storage is blocked: the id lives as long as the page.
  }
  minted ??= call("GET", "/api/v4/users/me").then((me) => {
    try {
      localStorage.setItem(key, me.anonymousUserID);
    } catch {
      // As above.
    }
    return me.anonymousUserID;
  }).catch((problem) => {
    minted = undefined;
    throw problem;
  });
  return minted;
}

function forget() {
  minted = undefined;
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
