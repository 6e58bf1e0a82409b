import type { Value } from './api';
import { dotted, segments } from './words';

// Branch is a member or an item, with what stands in it; one without children is a value.
export interface Branch {
  path: string; // JSON pointer
  name: string;
  label?: string; // what an item of a list is called
  level: number; // from 0
  value?: Value;
  children: Branch[];
  count: number; // of the values in it
}

// treeOf is values, which come in order, as what stands in what.
export function treeOf(values: Value[]): Branch[] {
  const root: Branch = { path: '', name: '', level: -1, children: [], count: 0 };
  const known = new Map<string, Branch>([['', root]]);
  for (const value of values) {
    const leaf = branchAt(known, value.path);
    leaf.value = value;
    for (let path = value.path; path !== ''; path = above(path)) known.get(path)!.count++;
    const parent = known.get(above(value.path));
    if (leaf.name === 'name' && parent && /^\d+$/.test(parent.name)) parent.label = plain(value.value);
  }
  return root.children;
}

function branchAt(known: Map<string, Branch>, path: string): Branch {
  const there = known.get(path);
  if (there) return there;
  const parent = branchAt(known, above(path));
  const branch: Branch = { path, name: segments(path).at(-1) ?? '', level: parent.level + 1, children: [], count: 0 };
  parent.children.push(branch);
  known.set(path, branch);
  return branch;
}

const above = (path: string): string => path.slice(0, path.lastIndexOf('/'));

// openRows is the branches that can be seen, from top to bottom.
export function openRows(branches: Branch[], open: (path: string) => boolean): Branch[] {
  const rows: Branch[] = [];
  const walk = (list: Branch[]) => {
    for (const branch of list) {
      rows.push(branch);
      if (branch.children.length && open(branch.path)) walk(branch.children);
    }
  };
  walk(branches);
  return rows;
}

// found is the values that have all words, in their path or in themselves, and come from
// somewhere.
export function found(values: Value[], text: string, origin: string): Value[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return values.filter((value) => {
    if (origin && value.origin !== origin) return false;
    if (!words.length) return true;
    const whole = `${dotted(value.path)} ${value.value}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
}

// plain is a JSON text without its quotes.
export function plain(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : json;
  } catch {
    return json; // only its beginning is here
  }
}
