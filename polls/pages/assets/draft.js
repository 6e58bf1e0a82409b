// A poll that is being written survives a reload of the page, in the storage
// of its tab. Where that is full or blocked, nothing is kept and nothing breaks.

const pictureKey = (index) => `draft.picture.${index}`;

export function keepDraft(draft) {
  keep("draft", () => JSON.stringify(draft));
}

export function draft() {
  try {
    return JSON.parse(sessionStorage.getItem("draft")) ?? {};
  } catch {
    return {};
  }
}

// keepPicture keeps the source of a pane, a canvas, or that there is none.
export function keepPicture(index, source) {
  if (source) keep(pictureKey(index), () => source.toDataURL("image/jpeg", .85));
  else forget(pictureKey(index));
}

// picture is a kept source, as an image; undefined: none.
export async function picture(index) {
  try {
    const kept = sessionStorage.getItem(pictureKey(index));
    if (!kept) return undefined;
    const image = new Image();
    image.src = kept;
    await image.decode();
    return image;
  } catch {
    return undefined;
  }
}

export function forgetDraft() {
  for (const key of ["draft", pictureKey(0), pictureKey(1)]) forget(key);
}

function keep(key, make) {
  try {
    sessionStorage.setItem(key, make());
  } catch {
    forget(key); // an old picture would be worse than none
  }
}

function forget(key) {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
