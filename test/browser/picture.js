// Pictures for polls, drawn here so that none has to be kept.
import { crc32, deflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

// picture is a PNG: a disc of one colour, [red, green, blue], on a ground that
// runs from another to black.
export function picture([disc, ground], width = 640, height = 480) {
  const rows = Buffer.alloc(height * (1 + 3 * width)); // each row begins with its filter, 0 for none
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inside = Math.hypot(x - width / 2, y - height / 2) < height * 0.3;
      const at = y * (1 + 3 * width) + 1 + 3 * x;
      for (let i = 0; i < 3; i++) rows[at + i] = inside ? disc[i] : ground[i] * (1 - y / height / 2);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8); // bits of a colour; true colour without alpha
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}
