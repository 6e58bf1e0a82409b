import { bytes } from '../../words';

const longest = 3_500_000; // bytes; a request may have a little more

// textOf is the text of a file. It throws an error whose message is for people.
export async function textOf(file: File): Promise<string> {
  if (file.size > longest) {
    throw new Error(`${file.name} has ${bytes(file.size)}, more than the ${bytes(longest)} that can be looked at here. Use stoa inventory on the command line.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(`${file.name} is no text in UTF-8. Save it as UTF-8, and open it again.`);
  }
}
