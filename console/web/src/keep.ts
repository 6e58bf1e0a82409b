// What this browser remembers of a person's choices. Where storage is blocked, it
// remembers nothing.

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // For this page only, then.
  }
}
