import type { Tone } from '../../ui/Badge.svelte';
import type { Check, Kind, Origin, OriginKind, Role, Severity } from './api';
import { count } from '../../words';

export const roleNames: Record<Role, string> = { balancer: 'Balancer', 'control-plane': 'Control plane', worker: 'Worker' };
export const layerNames: Record<Role, string> = { balancer: 'Balancers', 'control-plane': 'Control planes', worker: 'Workers' };

export const severityTones: Record<Severity, 'bad' | 'warn' | 'info'> = { error: 'bad', warning: 'warn', info: 'info' };

export const originNames: Record<OriginKind, string> = {
  document: 'Document',
  template: 'Template',
  default: 'Default',
  calculated: 'Calculated',
  node_defaults: 'node_defaults',
  patch: 'Patch',
};
export const originTones: Record<OriginKind, Tone> = {
  document: 'accent',
  template: 'info',
  default: 'quiet',
  calculated: 'good',
  node_defaults: 'warn',
  patch: 'warn',
};

export const signs: Record<Kind, string> = { added: '+', removed: '−', changed: '~', reordered: '↕' };

// verdict is a check in a few words.
export function verdict(check: Check): string {
  const parts = [];
  if (check.errors) parts.push(count(check.errors, 'error'));
  if (check.warnings) parts.push(count(check.warnings, 'warning'));
  if (check.infos) parts.push(count(check.infos, 'note'));
  return parts.join(', ') || 'No faults';
}

// why is what there is to say about an origin beside its kind and its line.
export function why({ rule, template, patch, origin }: Origin): string {
  if (origin === 'patch') return patch ? `patch ${patch}` : `automatic: ${rule ?? ''}`;
  return rule ?? template ?? '';
}

// few is the first of some names, and how many more there are.
export function few(names: string[], most = 6): string {
  const first = names.slice(0, most).join(', ');
  return names.length > most ? `${first} and ${names.length - most} more` : first;
}

// segments is the names that a JSON pointer goes through.
export function segments(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

// dotted is a JSON pointer as people write it: nodes[0].labels["a.b"].
export function dotted(pointer: string): string {
  let text = '';
  for (const name of segments(pointer)) {
    if (/^\d+$/.test(name)) text += `[${name}]`;
    else if (name === '' || /[.["]/.test(name)) text += `["${name}"]`;
    else text += text ? `.${name}` : name;
  }
  return text;
}

// placeOf is the address that shows a place of the document.
export const placeOf = (line: number, column = 1): string => `/console/cluster?line=${line}&column=${column}`;
