// Calls of the JSON API. The cookies of this site say who is calling.

// Problem is a refusal. Its message is a sentence to be shown; field names the
// input.
export class Problem extends Error {
  constructor(status, { code, message, field }) {
    super(message.charAt(0).toUpperCase() + message.slice(1).replace(/\.?$/, "."));
    Object.assign(this, { status, code, field });
  }
}

// call answers the object of the API or throws a Problem. Its status is 0 when no
// answer came: then the call may have been carried out or not.
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
  let answer = {};
  try {
    response = await fetch(address, request);
    if (response.status !== 204) answer = await response.json();
  } catch {
    if (!response || response.ok) throw new Problem(0, { code: "offline", message: "No connection. Try again in a moment." });
  }
  if (response.ok) return answer;
  const what = response.status === 429 ? "Too many requests" : "Something went wrong";
  throw new Problem(response.status, answer.error ?? { code: "internal", message: `${what}. Try again in a moment.` });
}

// callAsVoter is call for somebody who may have no account. A browser that the
// site does not know yet is given a cookie first, so that pages that are opened
// later know its votes. Where cookies do not stick, an id of the API takes its
// place. It does not wait for ever.
export async function callAsVoter(method, path, parameters = {}) {
  const known = "voter" in document.body.dataset;
  for (const asking of withoutCookie ? [] : known ? [false, true] : [true]) {
    try {
      if (asking) await askForCookie();
      return await callBriefly(method, path, parameters);
    } catch (problem) {
      if (problem.code !== "authentication_required") throw problem;
    }
  }
  withoutCookie = true;
  try {
    return await callBriefly(method, path, { ...parameters, anonymous_user_id: await anonymousID() });
  } catch (problem) {
    if (problem.code !== "invalid_anonymous_user_id") throw problem;
    forget();
    return callBriefly(method, path, { ...parameters, anonymous_user_id: await anonymousID() });
  }
}

// readAsVoter asks for something with the caller's own vote in it. Who never voted
// stays nobody.
export async function readAsVoter(path, parameters) {
  return callBriefly("GET", path, withoutCookie ? { ...parameters, anonymous_user_id: await anonymousID() } : parameters);
}

const callBriefly = (method, path, parameters) => call(method, path, parameters, { signal: AbortSignal.timeout(10_000) });

// askForCookie asks until there is an answer, and then never again: a second id
// would be a second voter. For the same reason nobody goes on without a cookie
// because the service is out of reach or busy, but only where it forbids to ask.
function askForCookie() {
  asked ??= callBriefly("POST", "/viewer").catch((problem) => {
    asked = undefined;
    if (problem.status !== 403) throw problem;
  });
  return asked;
}

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
  minted ??= callBriefly("GET", "/api/v4/users/me").then((me) => {
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
