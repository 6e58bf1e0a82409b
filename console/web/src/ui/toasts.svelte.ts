export interface Toast {
  id: number;
  text: string;
  bad: boolean;
}

let all = $state.raw<Toast[]>([]);
let last = 0;

export const toasts = (): Toast[] => all;

// tell says in a corner that something happened. What failed stays longer; what somebody
// must act on belongs into the view instead.
export function tell(text: string, { bad = false } = {}): void {
  const toast = { id: ++last, text, bad };
  all = [...all.slice(-2), toast];
  setTimeout(() => dismiss(toast.id), bad ? 12_000 : 5_000);
}

export function dismiss(id: number): void {
  all = all.filter((toast) => toast.id !== id);
}
