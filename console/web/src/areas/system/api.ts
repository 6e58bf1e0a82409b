import { operator } from '../../api/operator';

// What the operator API answers below /system.

export interface Part {
  environment?: string;
  room: string;
  name: string;
  state: 'ok' | 'degraded' | 'starting' | 'down';
  reason?: string;
  detail?: string;
}

export interface SystemState {
  state: Part['state'];
  parts: Part[];
}

export interface Versions {
  versions: { name: string; version: string }[];
}

export interface FileUse {
  use: string;
  files: number;
  bytes: number;
}

export interface Storage {
  database: number;
  disk: { folder: string; total: number; free: number } | null;
  files: { uses: FileUse[]; complete: boolean; problem?: string; measured: string };
}

export interface Setting {
  name: string;
  value: string;
  origin: 'flag' | 'variable' | 'file' | 'default';
  place: string;
  help: string;
}

export type JobState = 'running' | 'waiting' | 'given_up';

export interface Job {
  id: number;
  kind: string;
  lane: string;
  state: JobState;
  args: Record<string, unknown>;
  due: string;
  failures: number;
  attempts: number; // 0: nobody knows
  deaths: number;
  worker: string;
  ending: boolean;
  error: string;
}

export interface JobCount {
  kind: string;
  running: number;
  waiting: number;
  givenUp: number;
}

export interface Jobs {
  jobs: Job[];
  next?: string;
  counts: JobCount[];
}

export interface Key {
  name: string;
  project: string;
  limits: { uploads: number; writes: number; reads: number };
  suspended: boolean;
  console: boolean;
  created: string;
}

export interface Account {
  id: number;
  username: string;
  name: string;
  email: string;
  operator: boolean;
  confirmed: boolean;
  suspended: boolean;
  created: string;
  you: boolean;
}

export interface Login {
  id: string;
  created: string;
  used: string;
}

const one = (list: string, id: string | number) => `/system/${list}/${encodeURIComponent(id)}`;

export const retryJob = (id: number) => operator.post(`${one('jobs', id)}/retry`);
export const discardJob = (id: number) => operator.delete(one('jobs', id));
export const retryJobs = (kind: string) => operator.post<{ retried: number; refused: number }>('/system/jobs/retry', { kind });

export const suspendKey = (name: string, suspended: boolean) => operator.patch(one('keys', name), { suspended });
export const deleteKey = (name: string) => operator.delete(one('keys', name));

export const getAccount = (name: string, signal: AbortSignal) =>
  operator.get<{ account: Account; logins: Login[] }>(one('accounts', name), {}, signal);
export const changeAccount = (name: string, change: { suspended?: boolean; operator?: boolean }) => operator.patch(one('accounts', name), change);
export const setPassword = (name: string, password: string) => operator.put(`${one('accounts', name)}/password`, { password });
export const deleteAccount = (name: string) => operator.delete(one('accounts', name));
// endLogins ends one login, or all.
export const endLogins = (name: string, id?: string) =>
  operator.delete<{ ended: number }>(`${one('accounts', name)}/logins${id ? `/${encodeURIComponent(id)}` : ''}`);
