// A poll that is being written survives a reload of the page.
import { keep, kept } from "./kept.js";

const pictureKey = (index) => `draft.picture.${index}`;

export const keepDraft = (draft) => keep("draft", draft);

export const draft = () => kept("draft") ?? {};

// keepPicture keeps the source of a pane, a canvas, or that there is none.
export const keepPicture = (index, source) => keep(pictureKey(index), source?.toDataURL("image/jpeg", .85));

// picture is a kept source, as an image; undefined: none.
export async function picture(index) {
  const address = kept(pictureKey(index));
  if (!address) return undefined;
  const image = new Image();
  image.src = address;
  return image.decode().then(() => image, () => undefined);
}

export function forgetDraft() {
  for (const key of ["draft", pictureKey(0), pictureKey(1)]) keep(key, undefined);
}
