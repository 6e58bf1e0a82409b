import { asApiError, isAbort, type ApiError } from '../../api/error';
import { operator } from '../../api/operator';
import type { Fault, RuleFile } from './rules';

export interface RuleText extends RuleFile {
  text: string;
  version: string;
  faults: Fault[];
}

// Check is what a text would do; null: no such rule.
export interface Check {
  faults: Fault[];
  changes: { path: string; was: string | null; now: string | null }[];
}

const pause = 350; // milliseconds after a key before a text is checked

const starter = `# Which domain the callers ask for, and how often each user may.
domain: shop
descriptors:
  - key: user
    rate_limit:
      unit: minute
      requests_per_unit: 100
`;

// Editing is a rule file on its way to being live: checked as somebody types, and written
// only over what was read.
export class Editing {
  text = $state('');
  file = $state.raw<RuleText>() as RuleText;
  check = $state.raw<Check>();
  checking = $state(false);
  saving = $state(false);
  error = $state.raw<ApiError>();
  dirty = $derived(this.text !== this.file.text);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = new AbortController();

  constructor(file: RuleText) {
    this.file = file;
    this.text = file.text || (file.there ? '' : starter);
    this.#look();
  }

  edited(): void {
    this.error = undefined;
    this.#asked.abort();
    this.checking = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), pause);
  }

  undo(): void {
    this.text = this.file.text;
    this.edited();
  }

  async #look(): Promise<void> {
    const { signal } = (this.#asked = new AbortController());
    this.checking = true;
    try {
      const check = await operator.post<Check>('/limits/check', { name: this.file.name, text: this.text }, signal);
      if (signal.aborted) return;
      this.check = check;
    } catch (thrown) {
      if (signal.aborted || isAbort(thrown)) return;
      this.check = undefined;
      this.error = asApiError(thrown);
    }
    this.checking = false;
  }

  get ready(): boolean {
    return this.dirty && !this.checking && !this.saving && !this.file.readOnly && this.check?.faults.length === 0;
  }

  // save puts the text live, and tells whether that was done.
  async save(): Promise<boolean> {
    if (!this.ready) return false;
    this.saving = true;
    this.error = undefined;
    try {
      const { text, file } = this;
      this.file = await operator.put<RuleText>(`/limits/files/${encodeURIComponent(file.name)}`, { text, version: file.version });
      this.check = { faults: [], changes: [] };
      return true;
    } catch (thrown) {
      this.error = asApiError(thrown);
      return false;
    } finally {
      this.saving = false;
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#asked.abort();
  }
}
