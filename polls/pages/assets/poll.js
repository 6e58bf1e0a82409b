// A poll on the page: a tap votes at once, bars grow in place.
import { callAsVoter, readAsVoter } from "./api.js";
import { hearTabs, tellTabs } from "./tabs.js";
import { count, say } from "./words.js";

const cards = new WeakMap();

// cardOf is the Card of an article, made when it is first asked for.
export function cardOf(article) {
  if (!cards.has(article)) cards.set(article, new Card(article));
  return cards.get(article);
}

hearTabs(({ poll, ...told }) => {
  const article = document.querySelector(`.poll[data-poll="${poll}"]`);
  if (article) cardOf(article).take(told);
});

// percentages of two counts: rounded half up, never 0 or 100 while both have
// votes, and 100 together.
export function percentages(a, b) {
  const n = a + b;
  if (n === 0) return [0, 0];
  let first = Math.floor((200 * a + n) / (2 * n));
  if (a > 0 && b > 0) first = Math.min(99, Math.max(1, first));
  return [first, 100 - first];
}

class Card {
  constructor(article) {
    this.article = article;
    this.id = Number(article.dataset.poll);
    this.vote = Number(article.dataset.vote ?? 0);
    this.form = article.querySelector("form.vote");
    this.choices = [...article.querySelectorAll(".choice")];
    this.counts = this.choices.map((c) => number(c.querySelector(".count")));
    this.problem = article.querySelector(".poll-problem");
    if (this.form) this.listen();
  }

  get names() { return this.choices.map((c) => c.querySelector(".choice-name").textContent); }
  get path() { return `/api/v4/polls/${this.id}`; }
  get key() { return this.article.dataset.key ? { poll_key: this.article.dataset.key } : {}; }

  listen() {
    this.form.classList.add("ready");
    this.form.addEventListener("change", (event) => this.want(Number(event.target.value)));
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.article.querySelector(".undo").addEventListener("submit", (event) => {
      event.preventDefault();
      const radio = this.radio(this.vote);
      this.want(0);
      radio?.focus(); // the button goes away
    });
    this.article.querySelector(".results").addEventListener("click", (event) => {
      event.preventDefault();
      this.shown = true;
      this.draw();
      say(this.standing());
      this.radio(1).focus();
    });
    this.catchUp();
  }

  // catchUp sends what was tapped before this module was there. The radios have
  // autocomplete="off", so that none is checked which the browser filled in again.
  catchUp() {
    const early = Number(this.form.querySelector("input:checked")?.value ?? 0);
    if (early !== this.vote && !this.form.classList.contains("sent")) this.want(early);
  }

  radio(option) { return option ? this.choices[option - 1].querySelector("input") : null; }

  // want shows the wish at once and sends it. While one is on its way, the
  // newest wish waits and the ones between are never sent.
  async want(option) {
    this.wanted = option;
    this.expect(option);
    if (this.sending) return;
    this.sending = true;
    let sure = { vote: Number(this.article.dataset.vote ?? 0), counts: this.before };
    let sent, problem;
    do {
      sent = this.wanted;
      const outcome = await this.send(sent);
      sure = outcome.sure ?? { ...sure, counts: this.missed ?? sure.counts };
      problem = outcome.problem;
    } while (this.wanted !== sent && problem?.status !== 404);
    this.settle(sure);
    this.sending = false;
    this.before = this.missed = undefined;
    this.settled = performance.now();
    if (problem) return this.refused(sent, problem);
    tellTabs({ poll: this.id, ...sure });
    say(sent ? `You voted for ${this.names[sent - 1]}. ${this.standing()}` : "Your vote is taken back.");
  }

  refused(option, problem) {
    if (this.deleted || problem.status === 404) return this.gone();
    const [not, perhaps] = option
      ? ["Your vote was not counted.", "Your vote may not have been counted."]
      : ["Your vote is still there.", "Your vote may still be there."];
    if (problem.unsure) this.unsure = option;
    this.problem.textContent = `${problem.unsure ? perhaps : not} ${problem.message}`;
  }

  // gone is for a poll that was deleted: nothing can be done to it any more.
  gone() {
    this.deleted = true;
    this.form.querySelector("fieldset").disabled = true;
    this.problem.textContent = "This poll has been deleted.";
    this.draw();
  }

  // expect draws what the answer will very likely say.
  expect(option) {
    this.before ??= [...this.counts];
    if (this.vote) this.counts[this.vote - 1] = Math.max(0, this.counts[this.vote - 1] - 1);
    if (option) this.counts[option - 1] += 1;
    this.vote = option;
    this.shown = false;
    this.problem.textContent = "";
    this.unsure = undefined;
    this.draw();
  }

  // send answers what is sure afterwards, if anything is, and the problem there was.
  // A vote whose answer was lost may have been counted: then the poll knows.
  async send(option) {
    const path = `${this.path}/votes`;
    try {
      const answer = await (option ? callAsVoter("POST", path, { option, ...this.key }) : callAsVoter("DELETE", `${path}/remove`, this.key));
      return { sure: { vote: option, counts: countsIn(answer) } };
    } catch (problem) {
      if (problem.status !== 0) return { problem };
      const sure = await this.ask().catch(() => undefined);
      if (sure?.vote === option) return { sure };
      problem.unsure = !sure;
      return { sure, problem };
    }
  }

  // ask is how the poll stands, and its viewer's vote.
  async ask() {
    const answer = await readAsVoter(this.path, this.key);
    return { vote: answer.userVote ?? 0, counts: countsIn(answer) };
  }

  settle({ vote, counts }) {
    this.vote = vote;
    this.counts = counts;
    this.article.dataset.vote = vote;
    this.draw();
  }

  // look reads the poll anew.
  async look() {
    const asked = performance.now();
    this.take(await this.ask(), asked);
  }

  // take believes what was told, to somebody who asked at that time, unless an own
  // vote is newer.
  take({ vote, counts }, asked = performance.now()) {
    if (!this.form || this.sending || this.deleted || this.settled > asked) return;
    if (this.vote && !vote) this.shown = false;
    if (vote === this.unsure) this.problem.textContent = "";
    this.settle({ vote, counts });
  }

  // update takes counts that came from elsewhere. While an own vote is about to
  // bring newer ones, they are kept in case it fails.
  update(first, second) {
    if (this.sending) this.missed = [first, second];
    if (this.sending || (first === this.counts[0] && second === this.counts[1])) return;
    this.counts = [first, second];
    this.draw();
  }

  standing() {
    const percents = percentages(...this.counts);
    return `${this.names.map((name, i) => `${name} ${percents[i]} percent`).join(", ")}, ${count(this.counts[0] + this.counts[1], "vote", "votes")}.`;
  }

  draw() {
    const percents = percentages(...this.counts);
    const shown = this.vote > 0 || this.shown || (this.shown === undefined && "shown" in this.article.dataset);
    this.article.toggleAttribute("data-shown", shown);
    this.choices.forEach((choice, i) => {
      choice.querySelector("input").checked = this.vote === i + 1;
      choice.querySelector("rect").setAttribute("width", `${percents[i]}%`);
      choice.querySelector(".percent").textContent = `${percents[i]}%`;
      choice.querySelector(".count").textContent = count(this.counts[i], "vote", "votes");
      choice.classList.toggle("winning", this.counts[i] > this.counts[1 - i]);
    });
    this.article.querySelector(".total").textContent = count(this.counts[0] + this.counts[1], "vote", "votes");
    this.article.querySelector(".undo").hidden = this.vote === 0 || Boolean(this.deleted);
    this.article.querySelector(".results").hidden = shown;
  }
}

const countsIn = (answer) => [answer.firstChoiceVoteCount, answer.secondChoiceVoteCount];
const number = (element) => Number(element.textContent.replace(/\D/g, ""));
