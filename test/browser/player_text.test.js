// What the player reads of other people's text: times in addresses, WebVTT files.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTime, parseTime, spokenTime } from "../../video/player/script/time.js";
import { cueAt, cuesIn } from "../../video/player/script/vtt.js";

test("times are seconds, minutes or hours", () => {
  const read = { 90: 90, "1:30": 90, "01:00:05": 3605, "2.5": 2.5, "0:07.25": 7.25, "": undefined, x: undefined, "-1": undefined, "1:2:3:4": undefined, "1e3": undefined };
  for (const [text, want] of Object.entries(read)) assert.equal(parseTime(text), want, text);
  assert.equal(formatTime(3605.9), "1:00:05");
  assert.equal(formatTime(65), "1:05");
  assert.equal(formatTime(19.999999), "0:20"); // as Chromium tells the length of 480 frames at 24 a second
  assert.equal(formatTime(NaN), "0:00");
  assert.equal(spokenTime(3661), "1 hour 1 minute 1 second");
  assert.equal(spokenTime(0), "0 seconds");
});

test("cues are read from what is well formed", () => {
  const text = "\ufeffWEBVTT\r\n\r\nNOTE nothing\r\n\r\nsecond\r\n00:10.000 --> 01:00:00.500 align:start\r\n<v Ann>A &lt;b&gt;\r\nand more</v>\r\n\r\n00:00.000 --> 00:10.000\r\nFirst\r\n\r\n00:xx --> 1\r\nbad\r\n\r\n00:01.000 -->\r\n";
  assert.deepEqual(cuesIn(text), [{ from: 0, to: 10, text: "First" }, { from: 10, to: 3600.5, text: "A <b> and more" }]);
  assert.deepEqual(cuesIn(""), []);
  assert.deepEqual(cuesIn("-->\n-->\n\n --> \nx"), []);
});

test("the cue at a time is the last that began", () => {
  const cues = [{ from: 1 }, { from: 5 }];
  assert.equal(cueAt(cues, 0), undefined);
  assert.equal(cueAt(cues, 4.9), cues[0]);
  assert.equal(cueAt(cues, 99), cues[1]);
});
