// Trouble is a request that did not succeed. Status 0: no answer came.
class Trouble extends Error {
  constructor(status, code = "", wait = 0) {
    super(`${status} ${code}`);
    Object.assign(this, { status, code, wait });
  }
}

// call asks the API. Who asks is said by a parameter: no cookie is sent or taken.
async function call(method, path, params = {}) {
  const query = new URLSearchParams(params);
  const reading = method === "GET";
  const address = `/api/v4${path}${reading && query.size ? `?${query}` : ""}`;
  let response;
  try {
    response = await fetch(address, {
      method, credentials: "omit", body: reading ? undefined : query, signal: AbortSignal.timeout(10_000),
    });
  } catch {
    throw new Trouble(0);
  }
  let answer = {};
  try {
    answer = await response.json();
  } catch {
    if (response.ok) throw new Trouble(0); // cut off on its way
  }
  if (!response.ok) throw new Trouble(response.status, answer.error?.code, Number(response.headers.get("Retry-After")) || 0);
  return answer;
}

const patience = [1, 2, 4, 8]; // seconds between tries

// retryIn says how many seconds to wait before the next try; 0: a try makes no sense.
function retryIn(trouble, tries) {
  if (tries >= patience.length || ![0, 429, 500, 502, 503, 504].includes(trouble.status)) return 0;
  const wait = Math.max(trouble.wait, patience[tries]);
  return wait > 30 ? 0 : wait;
}

// pause ends early when the connection is back, or when somebody calls wake.
function pause(seconds, onWake = () => {}) {
  return new Promise((resolve) => {
    const timer = setTimeout(end, seconds * 1000);
    function end() {
      clearTimeout(timer);
      removeEventListener("online", end);
      resolve();
    }
    addEventListener("online", end);
    onWake(end);
  });
}

// patiently repeats what may work later, and tells why it takes so long.
async function patiently(work) {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (trouble) {
      const wait = retryIn(trouble, tries);
      if (!wait) throw trouble;
      say(trouble.status ? words.busy : words.offline);
      await pause(wait);
    }
  }
}
