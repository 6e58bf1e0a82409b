// How a file is sent in pieces, and which of them are missing.
import type { Received } from './videos';

const MiB = 1 << 20;

// A lost connection costs one piece at most. The API takes pieces of 5 to 200 MiB, only
// the last of a file may be smaller; the longest files, of 30 GiB, have far fewer than
// the 10,000 that are allowed.
const pieceSize = 8 * MiB;
const smallest = 5 * MiB;

const largest = 30 * 1024 * MiB;

export const canUpload = ({ size }: File): boolean => size > 0 && size <= largest;

// Piece is bytes of a file, from included and end not.
export interface Piece {
  from: number;
  end: number;
}

// missingPieces cuts what has not arrived. Gaps are made by whole pieces, so what is too
// small for one of its own goes with the piece before it.
export function missingPieces(size: number, received: Received[]): Piece[] {
  const pieces: Piece[] = [];
  for (const gap of gaps(size, received)) {
    let { from } = gap;
    while (from < gap.end) {
      const rest = gap.end - from;
      const last = rest <= pieceSize || (gap.end < size && rest < pieceSize + smallest);
      const end = last ? gap.end : from + pieceSize;
      pieces.push({ from, end });
      from = end;
    }
  }
  return pieces;
}

function gaps(size: number, received: Received[]): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const { from, to } of received.toSorted((a, b) => a.from - b.from)) {
    if (from > at) found.push({ from: at, end: from });
    at = Math.max(at, to + 1);
  }
  if (at < size) found.push({ from: at, end: size });
  return found;
}

// contentRange is how a piece says what it is.
export const contentRange = ({ from, end }: Piece, size: number): string => `bytes ${from}-${end - 1}/${size}`;
