import { keep, kept } from './keep';
import { session } from './session.svelte';

let chosen = $state(kept('project'));

// chosenProject is the project whose videos and live streams are shown: the one that was
// chosen last, or the first. It is "" where no video is served.
export function chosenProject(): string {
  const { projects } = session();
  return projects.find((project) => project === chosen) ?? projects[0] ?? '';
}

export function chooseProject(project: string): void {
  chosen = project;
  keep('project', project);
}
