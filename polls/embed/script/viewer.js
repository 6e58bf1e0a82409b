// The viewer is known by an anonymous id. It is kept in the iframe's own storage;
// where that is blocked it lives as long as the page.
const storageKey = "stoa.viewer";
let inMemory = "";
let minting = null;
let renewals = 0;

function knownViewer() {
  try {
    return localStorage.getItem(storageKey) || inMemory;
  } catch {
    return inMemory;
  }
}

function remember(id) {
  inMemory = id;
  try {
    if (id) localStorage.setItem(storageKey, id);
    else localStorage.removeItem(storageKey);
  } catch {
    // memory has it
  }
  return id;
}

// viewer takes the id that came with the page before it asks for one.
async function viewer() {
  const known = knownViewer();
  if (known) return known;
  if (sent.anonymousID) return remember(sent.anonymousID);
  minting ??= call("GET", "/users/me").finally(() => { minting = null; });
  const { anonymousUserID } = await minting;
  return knownViewer() || remember(anonymousUserID); // another iframe of the site may have been quicker
}

// asViewer does work with the viewer's id; one that is no longer good is replaced.
async function asViewer(work) {
  const id = await viewer();
  try {
    return await work(id);
  } catch (trouble) {
    if (trouble.code !== "invalid_anonymous_user_id" || ++renewals > 3) throw trouble;
    forget(id);
    return asViewer(work);
  }
}

function forget(id) {
  if (sent.anonymousID === id) sent.anonymousID = "";
  if (knownViewer() === id) remember("");
}
