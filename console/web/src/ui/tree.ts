import type { Tone } from './Badge.svelte';
import type { IconName } from './icons';

export interface TreeNode {
  id: string;
  label: string;
  icon?: IconName;
  badge?: { text: string; tone?: Tone };
  children?: TreeNode[];
}

export interface TreeRow {
  node: TreeNode;
  level: number; // from 1
  parent?: string;
  size: number; // of its siblings
  place: number; // among them, from 1
}

// rowsOf is the nodes that can be seen, from top to bottom.
export function rowsOf(nodes: TreeNode[], open: (id: string) => boolean, level = 1, parent?: string): TreeRow[] {
  return nodes.flatMap((node, i) => [
    { node, level, parent, size: nodes.length, place: i + 1 },
    ...(node.children && open(node.id) ? rowsOf(node.children, open, level + 1, node.id) : []),
  ]);
}
