// until asks again and again until something holds.
export async function until(what, holds, patience = 30_000) {
  const end = performance.now() + patience;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${patience / 1000} s in vain: ${what}`);
    await new Promise((go) => setTimeout(go, 50));
  }
}
