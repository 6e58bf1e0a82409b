// A 360° picture: the frame is the map of a globe, seen from its middle. Drag or
// use Shift with the arrow keys to look around, the wheel to come closer.
import { player, video } from "./page.js";

const vertexShader = `
attribute vec2 corner;
varying vec2 place;
void main() { place = corner; gl_Position = vec4(corner, 0., 1.); }`;

const fragmentShader = `
precision highp float;
varying vec2 place;
uniform sampler2D frame;
uniform vec2 look; // to the right and up, in radians
uniform vec2 field; // tangents of half the angles of view
void main() {
  vec3 ray = normalize(vec3(place * field, -1.));
  float s = sin(look.y), c = cos(look.y);
  ray = vec3(ray.x, ray.y * c - ray.z * s, ray.y * s + ray.z * c);
  float across = atan(ray.x, -ray.z) + look.x;
  vec2 at = vec2(fract(across / 6.28318530718 + .5), .5 - asin(clamp(ray.y, -1., 1.)) / 3.14159265359);
  gl_FragColor = texture2D(frame, at);
}`;

const look = { right: 0, up: 0, angle: 75 }; // radians; angle of view in degrees
let gl, uniforms, canvas;

// startPanorama draws over the video, whose sound and controls stay. Without WebGL
// the flat picture is what there is.
export function startPanorama(stage) {
  if (canvas) return;
  canvas = document.createElement("canvas");
  gl = canvas.getContext("webgl");
  if (!gl) return;
  canvas.className = "panorama";
  stage.append(canvas);
  prepare();
  watchHands(stage);
  draw();
}

function prepare() {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertexShader], [gl.FRAGMENT_SHADER, fragmentShader]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, 0, "corner");
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW); // one triangle that covers all
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  uniforms = { look: gl.getUniformLocation(program, "look"), field: gl.getUniformLocation(program, "field") };
}

function draw() {
  requestAnimationFrame(draw);
  if (video.readyState < video.HAVE_CURRENT_DATA || document.hidden) return;
  const [width, height] = [player.clientWidth, player.clientHeight].map((n) => Math.round(n * Math.min(devicePixelRatio, 2)));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  gl.viewport(0, 0, width, height);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, gl.RGB, gl.UNSIGNED_BYTE, video);
  const half = Math.tan((look.angle * Math.PI) / 360);
  gl.uniform2f(uniforms.look, look.right, look.up);
  gl.uniform2f(uniforms.field, half, (half * height) / width);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
}

function turn(right, up) {
  look.right += right;
  look.up = Math.min(Math.max(look.up + up, -1.5), 1.5);
  player.dataset.look = `${look.right.toFixed(2)},${look.up.toFixed(2)}`;
}

function watchHands(stage) {
  let moved = 0;
  canvas.addEventListener("pointerdown", ({ pointerId }) => {
    moved = 0;
    canvas.setPointerCapture(pointerId);
  });
  canvas.addEventListener("pointermove", ({ buttons, movementX, movementY }) => {
    if (!buttons) return;
    moved += Math.abs(movementX) + Math.abs(movementY);
    const part = (look.angle * Math.PI) / 180 / canvas.clientWidth; // radians of one point
    turn(-movementX * part, movementY * part);
  });
  stage.addEventListener("click", (event) => { if (moved > 6) event.stopImmediatePropagation(); }, { capture: true }); // a drag is no click
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    look.angle = Math.min(Math.max(look.angle + event.deltaY * 0.03, 30), 110);
  }, { passive: false });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
    if (!event.shiftKey || !step) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    turn(...step);
  }, { capture: true });
}
