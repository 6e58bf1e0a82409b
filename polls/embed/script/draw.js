const choices = [...document.querySelectorAll(".choice")].map((label) => ({
  label,
  input: label.querySelector("input"),
  bar: label.querySelector("rect"),
  name: label.querySelector(".name bdi"),
  own: label.querySelector(".own"),
  percent: label.querySelector(".percent"),
  count: label.querySelector(".count"),
}));
const resultsButton = form.querySelector("[value=results]");
const undoButton = form.querySelector("[value=remove]");

// draw shows the poll as it is now.
function draw() {
  const counts = wantedCounts(poll);
  const shares = percentages(counts);
  main.toggleAttribute("data-shown", resultsShown());
  choices.forEach((choice, i) => {
    const option = i + 1;
    choice.label.classList.toggle("winning", counts[i] > counts[1 - i]);
    choice.bar.setAttribute("width", `${shares[i]}%`);
    choice.percent.textContent = percent(shares[i]);
    choice.count.textContent = votes(counts[i]);
    choice.own.hidden = poll.wanted !== option;
    choice.input.checked = (poll.marked || poll.wanted) === option;
    choice.input.disabled = poll.gone;
  });
  find("total").textContent = votes(counts[0] + counts[1]);
  find("hint").hidden = !poll.marked || poll.marked === poll.wanted;
  resultsButton.textContent = poll.open ? words.hideResults : words.seeResults;
  hide(resultsButton, poll.wanted !== 0);
  hide(undoButton, poll.wanted === 0 || poll.gone);
  follow();
}

// hide keeps the focus in the poll when the focused button goes.
function hide(button, hidden) {
  const focused = hidden && document.activeElement === button;
  button.hidden = hidden;
  if (focused) focusChoice();
}

function focusChoice() {
  (choices.find(({ input }) => input.checked) ?? choices[0]).input.focus();
}

// drawQuestion puts another poll in the place of the one before.
function drawQuestion() {
  const caption = find("caption").firstElementChild;
  caption.textContent = document.title = poll.caption;
  form.querySelector("fieldset").dir = getComputedStyle(caption).direction;
  choices.forEach((choice, i) => { choice.name.textContent = poll.names[i]; });
  form.elements.poll_id.value = poll.id;
  find("open").href = poll.url;
  drawPicture(form.querySelector(".picture"));
  draw();
}

function drawPicture(image) {
  image.hidden = !poll.picture;
  for (const name of ["width", "height"]) image.removeAttribute(name);
  if (!poll.picture) return;
  if (poll.pictureSize) [image.width, image.height] = poll.pictureSize;
  image.src = poll.picture;
}
