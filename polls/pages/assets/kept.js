// What somebody has begun to write, in the storage of its tab and for their
// account only. Where storage is full or blocked, nothing is kept and nothing
// breaks.

const account = document.body.dataset.account;

// keep takes what JSON can say; undefined forgets.
export function keep(key, value) {
  try {
    sessionStorage.removeItem(key); // when there is no room for the new, the old would be worse than nothing
    if (value !== undefined) sessionStorage.setItem(key, JSON.stringify({ account, value }));
  } catch {
    // Nothing is kept.
  }
}

export function kept(key) {
  try {
    const found = JSON.parse(sessionStorage.getItem(key));
    return found?.account === account ? found.value : undefined;
  } catch {
    return undefined;
  }
}
