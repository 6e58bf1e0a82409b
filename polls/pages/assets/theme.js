// Runs before the page is painted: the colours that were chosen, and marks that
// there is script, that its modules are late, and that a form was sent without them.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  setTimeout(() => root.classList.add("late"), 2000);
  addEventListener("submit", (event) => {
    if (!event.defaultPrevented) event.target.classList.add("sent");
  });
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Storage is blocked: the system's colours it is.
  }
})();
