import type { Mark } from '../../ui/marks';
import type { Fault } from './api';
import { severityTones } from './words';

// marksOf is one mark for each line that has faults, by the worst of them.
export function marksOf(faults: Fault[]): Mark[] {
  const lines = new Map<number, Mark>();
  for (const { line, severity, message } of faults) {
    const known = lines.get(line);
    if (!known) lines.set(line, { line, tone: severityTones[severity], message });
    else if (severity === 'error') known.tone = 'bad';
  }
  return [...lines.values()];
}

// unitsOf is a column in the units of the browser: the server counts characters, of which
// some have two units.
export function unitsOf(text: string, line: number, column: number): number {
  let from = 0;
  for (let n = 1; n < line && from >= 0; n++) from = text.indexOf('\n', from) + 1 || -1;
  if (from < 0) return 1;
  const end = text.indexOf('\n', from);
  const characters = [...text.slice(from, end < 0 ? undefined : end)];
  return characters.slice(0, column - 1).join('').length + 1;
}
