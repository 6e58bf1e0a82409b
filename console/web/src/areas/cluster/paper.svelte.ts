// Paper is a cluster document. It stays in this tab: the server is sent it with each
// question and keeps nothing, and a reload finds it again.
export class Paper {
  text = $state.raw('');
  name = $state('');
  #key: string;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(key: string) {
    this.#key = `stoa.cluster.${key}`;
    const [name = '', text = ''] = split(read(this.#key));
    [this.name, this.text] = [name, text];
    addEventListener('pagehide', () => this.#save());
  }

  get there(): boolean {
    return this.name !== '';
  }

  // As the server is told of it.
  get sent(): { document: string; name: string } {
    return { document: this.text, name: this.name };
  }

  // put is another document in the place of this one; without a name there is none.
  put(name: string, text: string): void {
    [this.name, this.text] = [name, text];
    this.#save();
  }

  // write is the same document as somebody types.
  write(text: string): void {
    this.text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), 500);
  }

  #save(): void {
    clearTimeout(this.#timer);
    write(this.#key, this.there ? `${this.name}\n${this.text}` : undefined);
  }
}

// paper is what the views are about; before is what the difference starts from.
export const paper = new Paper('document');
export const before = new Paper('before');

// What a document cannot say: the OS family of its nodes.
export const families = ['debian', 'ubuntu26.04', 'rhel8', 'rhel9', 'rhel10'];
export const assumed = $state({ osFamily: 'debian' });

// split is name and text: the first line is the name.
function split(stored: string): string[] {
  const end = stored.indexOf('\n');
  return end < 0 ? [] : [stored.slice(0, end), stored.slice(end + 1)];
}

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

// write keeps nothing of a document that is longer than browsers store.
function write(key: string, value: string | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    read(key) && sessionStorage.removeItem(key);
  }
}
