// Runs before the page is painted: the colours that were chosen, and a mark
// that there is script.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Storage is blocked: the system's colours it is.
  }
})();
