// Mark is a line of a text that somebody should look at.
export interface Mark {
  line: number; // from 1
  tone: 'good' | 'warn' | 'bad' | 'info';
  message?: string;
}
