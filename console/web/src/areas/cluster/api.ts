import { operator } from '../../api/operator';
import { assumed, type Paper } from './paper.svelte';

export type Severity = 'error' | 'warning' | 'info';

export interface Fault {
  line: number;
  column: number; // from 1, in characters
  path: string;
  code: string;
  severity: Severity;
  message: string;
  hint: string;
}

// Check is what is wrong with a document; faults are the first of them.
export interface Check {
  valid: boolean;
  errors: number;
  warnings: number;
  infos: number;
  faults: Fault[];
}

export type Role = 'balancer' | 'control-plane' | 'worker';

export interface NodeName {
  name: string;
  roles: Role[];
}

export interface TopologyNode extends NodeName {
  internal: string;
  address: string;
  gateway: string;
}

export interface Layer {
  role: Role;
  ports: string[];
  nodes: TopologyNode[];
}

export interface Virtual {
  ip: string;
  floating: string;
  router: string;
  notBind: boolean;
  hosts: { name: string; priority: number }[];
}

export interface Gateway {
  name: string;
  address: string;
  nodes: string[];
}

export interface Topology {
  cluster: string;
  summary: string;
  endpoints: { who: string; address: string }[];
  virtual: Virtual[];
  layers: Layer[];
  gateways: Gateway[];
}

export type OriginKind = 'document' | 'template' | 'default' | 'calculated' | 'node_defaults' | 'patch';

export interface Origin {
  origin: OriginKind;
  line?: number;
  column?: number;
  template?: string;
  rule?: string;
  patch?: number;
}

export interface Value extends Origin {
  path: string; // JSON pointer
  value: string; // as JSON
  clipped?: boolean;
  secret?: boolean;
}

export interface File {
  path: string;
  mode: string;
  size: number;
  masked: boolean;
  content: string;
}

export type Kind = 'added' | 'removed' | 'changed' | 'reordered';

export interface Change {
  path: string;
  change: Kind;
  old?: string; // as JSON
  new?: string;
  secret?: boolean;
  from?: Origin;
}

export interface Difference {
  changed: boolean;
  summary: string;
  nodes: { name: string; change: Kind; roles: Role[]; internal: string; address: string; files: number }[];
  cluster: Change[];
  values: { nodes: string[]; changes: Change[] }[];
  files: { path: string; change: Kind; diff: string; nodes: string[] }[];
  leftOff: number;
}

// Asked is a document with what it cannot say.
export interface Asked {
  document: string;
  name: string;
  osFamily: string;
}
export const asked = (paper: Paper): Asked => ({ ...paper.sent, osFamily: assumed.osFamily });

export const check = (body: Asked, signal?: AbortSignal) => operator.post<Check>('/cluster/check', body, signal);

export const format = (body: Asked) => operator.post<{ check: Check; document: string | null }>('/cluster/format', body);

export const examples = () => operator.get<{ examples: { shape: string; document: string }[] }>('/cluster/examples');

export const graph = (body: Asked, signal?: AbortSignal) =>
  operator.post<{ check: Check; topology: Topology | null; text: string; svg: string }>('/cluster/graph', body, signal);

export const effective = (body: Asked & { node: string }, signal?: AbortSignal) =>
  operator.post<{ check: Check; nodes: NodeName[]; values: Value[]; total: number }>('/cluster/effective', body, signal);

export const render = (body: Asked & { node: string }, signal?: AbortSignal) =>
  operator.post<{ check: Check; nodes: NodeName[]; files: File[]; notes: { path: string; text: string }[] }>('/cluster/render', body, signal);

export const diff = (old: Paper, now: Paper, signal?: AbortSignal) =>
  operator.post<{ old: Check; new: Check; difference: Difference | null }>(
    '/cluster/diff',
    { old: old.sent, new: now.sent, osFamily: assumed.osFamily },
    signal,
  );
