// Languages that are offered; the API takes many more.
const offered =
  'ar bg bn ca cs da de el en en-GB en-US es es-MX et eu fa fi fil fr fr-CA ga gl he hi hr hu hy id is it ja ka kk km ko lt lv mk ml mn mr ms my nb ne nl nn no pa pl ps pt pt-BR ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh zh-CN zh-TW zu'.split(
    ' ',
  );

const names = new Intl.DisplayNames(['en'], { type: 'language' });

// languageName is what English calls a language, or the tag where it has no word.
export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag; // not written like a tag
  }
}

export const languages = offered.map((tag) => ({ tag, name: languageName(tag) })).sort((a, b) => a.name.localeCompare(b.name, 'en'));

// Those that a video can be in.
export const spoken = 'ar ca cs da de el en es fa fi fr he hi hr hu it ja ko ml nl nn no pl pt ru sk sl te tr uk ur vi zh'
  .split(' ')
  .map((tag) => ({ value: tag, label: languageName(tag) }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'));
