// Radio buttons report a click for the mouse, a finger, Space and the arrow keys.
// Arrows only move: who walks through the choices has not voted yet.
let arrow = false;

addEventListener("keydown", (event) => {
  stay();
  arrow = event.key.startsWith("Arrow");
  if (event.ctrlKey || event.metaKey || event.altKey || form.hidden) return;
  if (event.key === "1" || event.key === "2") choose(Number(event.key));
  if ((event.key === "Enter" || event.key === " ") && event.target.type === "radio") {
    event.preventDefault(); // a radio button that the arrows have marked reports no click for Space
    choose(Number(event.target.value));
  }
});
addEventListener("keyup", () => { arrow = false; });
addEventListener("pointerdown", () => {
  stay();
  arrow = false;
});

for (const { input } of choices) {
  input.addEventListener("click", () => {
    if (!arrow) {
      choose(Number(input.value));
      return;
    }
    poll.marked = Number(input.value);
    draw();
  });
}

form.addEventListener("focusout", (event) => {
  if (!poll.marked || event.relatedTarget?.type === "radio") return;
  poll.marked = 0;
  draw();
});

// The same buttons that post the form without script.
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter;
  if (button === undoButton) choose(0);
  if (button === resultsButton) toggleResults();
  if (button?.id === "back") go(at - 1);
  if (button?.id === "next") go(at + 1);
});

find("again")?.addEventListener("click", () => go(0));

function toggleResults() {
  poll.open = !poll.open;
  draw();
  announce(poll.open ? inWords(poll, poll.counts) : "");
}

document.addEventListener("visibilitychange", () => {
  follow();
  if (followed) ask(followed).catch(() => {}); // what happened meanwhile
});

watchView();
drawPlace();
draw();
if (knownViewer()) ask(poll).catch(() => {}); // they may have voted before
