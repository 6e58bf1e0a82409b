import type { Rules } from './rules';

// Entry is a part of a descriptor.
export interface Entry {
  key: string;
  value: string;
}

interface Tried {
  node: string;
  kind: string;
  matched: boolean;
  reason?: string;
  file?: string;
  line?: number;
}

// Reasoning is why one descriptor is answered as it is.
export interface Reasoning {
  entries: Entry[];
  result: 'limit' | 'override' | 'unlimited' | 'replaced' | 'no_rule' | 'unknown_domain';
  reason: string;
  levels?: { tried: Tried[] }[];
  rule?: { path: string; file?: string; line?: number };
  count?: number;
  code?: 'OK' | 'OVER_LIMIT';
  limitRemaining?: number;
  durationUntilReset?: string; // "23s"
}

export interface Explanation {
  source: string;
  address: string;
  answer: { domain: string; domainKnown: boolean; overallCode?: 'OK' | 'OVER_LIMIT'; globalShadowMode: boolean; descriptors: Reasoning[] };
}

// descriptorsOf reads a descriptor a line: key=value,key=value. Each is cut at its first =.
export function descriptorsOf(text: string): { entries: Entry[] }[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).map((line) => ({
    entries: line.split(',').map((item) => {
      const at = item.indexOf('=');
      return at < 0 ? { key: item.trim(), value: '' } : { key: item.slice(0, at).trim(), value: item.slice(at + 1).trim() };
    }),
  }));
}

export const entriesText = (entries: Entry[]): string => entries.map(({ key, value }) => (value ? `${key}=${value}` : key)).join(', ');

export const domainsOf = ({ sources }: Rules): string[] => sources.flatMap(({ domains }) => domains.map(({ name }) => name));
