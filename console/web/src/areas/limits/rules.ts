// Rules as the operator API tells them, and how fast their counts grow.

export interface Counts {
  hits: number;
  near: number;
  over: number;
  shadow: number;
}

export interface Rule extends Counts {
  path: string;
  terms: string;
}

export interface Node {
  name: string;
  key: string;
  value: string;
  file: string;
  line: number;
  rule: Rule | null;
  children: Node[];
}

export interface Domain {
  name: string;
  override: Counts | null;
  nodes: Node[];
}

export interface Fault {
  file: string;
  line: number;
  column: number;
  message: string;
}

export interface RuleFile {
  name: string;
  path: string;
  there: boolean;
  readOnly: string;
}

export interface Source {
  name: string;
  address: string;
  files: RuleFile[];
  faults: Fault[];
  domains: Domain[];
}

export interface Rules {
  at: string;
  sources: Source[];
}

const titles: Record<string, string> = { polls: 'Polls', video: 'Videos', ratelimit: 'Rate limit service' };
export const titleOf = (source: string): string => titles[source] ?? source;

export const fileAddress = (name: string, line?: number): string => `/console/limits/files/${encodeURIComponent(name)}${line ? `?line=${line}` : ''}`;

// Row is a node as it stands in a table, with the entries that lead to it.
export interface Row {
  node: Node;
  level: number;
  entries: string;
}

export function rowsOf(nodes: Node[], level = 0, above = ''): Row[] {
  return nodes.flatMap((node) => {
    const entries = `${above}${above && ','}${node.key}=${node.value}`;
    return [{ node, level, entries }, ...rowsOf(node.children, level + 1, entries)];
  });
}

// overridePath is where the counts of callers with limits of their own go.
export const overridePath = (domain: string): string => `${domain}.override`;

// Pace is what came of a rule lately, a second.
export interface Pace {
  hits: number;
  over: number;
}

const span = 10_000; // milliseconds that a pace is taken over

interface Sample {
  at: number;
  counts: Map<string, Counts>;
}

// Paces remembers counts for a while. Names of callers' values may be given up by the
// server, so counts can fall: then there is no pace.
export class Paces {
  #samples: Sample[] = [];

  take({ at, sources }: Rules): Map<string, Pace> {
    const now = { at: Date.parse(at), counts: countsOf(sources) };
    this.#samples = [...this.#samples.filter((sample) => now.at - sample.at <= span && sample.at < now.at), now];
    const first = this.#samples[0] ?? now;
    const seconds = (now.at - first.at) / 1000;
    const paces = new Map<string, Pace>();
    for (const [path, counts] of now.counts) {
      const was = first.counts.get(path) ?? counts;
      const pace = (a: number, b: number) => (seconds > 0 ? Math.max(0, a - b) / seconds : 0);
      paces.set(path, { hits: pace(counts.hits, was.hits), over: pace(counts.over, was.over) });
    }
    return paces;
  }
}

function countsOf(sources: Source[]): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const { domains } of sources) {
    for (const { name, override, nodes } of domains) {
      if (override) counts.set(overridePath(name), override);
      for (const { node } of rowsOf(nodes)) if (node.rule) counts.set(node.rule.path, node.rule);
    }
  }
  return counts;
}

// perSecond is a pace in few letters.
export const perSecond = (pace: number): string => (pace === 0 ? '–' : `${pace < 10 ? pace.toFixed(1) : Math.round(pace)}/s`);
