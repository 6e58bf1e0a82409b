// Chapters: marks on the seek bar, a menu, and the name beside the clock.
import { $, data, on, say, tell, video } from "./page.js";
import { attachMenu } from "./menu.js";
import { bounds, currentTime, seekTo } from "./seek.js";
import { formatTime } from "./time.js";
import { cueAt, fetchCues } from "./vtt.js";

let chapters = [];
let fetching;

export const chapterAt = (time) => cueAt(chapters, time);

export function startChapters() {
  const button = $("chapters");
  button.hidden = data.chapters.length === 0;
  if (button.hidden) return;
  const bring = () => { fetching ??= fetchChapters(); };
  on("intent", bring);
  on("attached", bring);
  attachMenu(button, "Chapters", async () => {
    bring();
    await fetching;
    const now = chapterAt(currentTime());
    return chapters.map((chapter) => ({
      label: chapter.text, value: formatTime(chapter.from), checked: chapter === now,
      choose: () => { seekTo(chapter.from); say(`Chapter ${chapter.text}`); },
    }));
  });
  video.addEventListener("timeupdate", drawName);
  video.addEventListener("durationchange", drawMarks);
}

async function fetchChapters() {
  const tags = navigator.languages.flatMap((tag) => [tag.toLowerCase(), tag.toLowerCase().split("-")[0]]);
  const rank = ({ language }) => (tags.indexOf(language.toLowerCase()) + 1 || Infinity);
  const track = data.chapters.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))[0];
  chapters = await fetchCues(track.src);
  $("chapters").hidden = chapters.length === 0;
  $("chapter").lang = track.language;
  drawMarks();
  drawName();
  tell("chapters");
}

function drawMarks() {
  const { from, to } = bounds();
  if (to <= from) return;
  $("marks").replaceChildren(...chapters.filter((c) => c.from > from && c.from < to).map((chapter) => {
    const mark = document.createElement("i");
    mark.style.insetInlineStart = `${((chapter.from - from) / (to - from)) * 100}%`;
    return mark;
  }));
}

function drawName() {
  const name = chapterAt(currentTime())?.text ?? "";
  if ($("chapter").textContent !== name) $("chapter").textContent = name;
}
