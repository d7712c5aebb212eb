import { referenceName } from '../reference.js';
import type { CheckInput } from './check.js';

/** Judges the door, the lifecycle and `control` against the rest. Throws `E-MAN-003`. */
export function checkSession(input: CheckInput): void {
  const { manifest, refuse } = input;
  if (manifest.network?.authentication !== undefined && manifest.capabilities.spawn.allow.length > 0) {
    refuse(
      ['network', 'authentication'],
      'cannot stand beside a capabilities.spawn.allow that lists capsules',
    );
  }
  const command = manifest.lifecycle.doneCheck?.command;
  if (command !== undefined && !manifest.capabilities.shell?.allow.includes(firstWord(command))) {
    refuse(['lifecycle', 'done_check', 'command'], 'runs a program that is not in capabilities.shell.allow');
  }
  checkControl(input);
}

function checkControl({ manifest, refuse }: CheckInput): void {
  const { control, inference } = manifest;
  if (control === undefined) return;
  const lists = [
    ['settings', control.settings],
    ['secrets', control.secrets],
    ['agent_settings', control.agentSettings],
  ] as const;
  const first = lists.find(([, entries]) => entries.length > 0);
  if (first === undefined) return;
  if (inference === undefined) refuse(['control'], 'needs an inference block');
  for (const key of ['settings', 'agent_settings'] as const) {
    const entries: readonly string[] = key === 'settings' ? control.settings : control.agentSettings;
    entries.forEach((entry, index) => {
      const path = ['control', key, index];
      if (inference?.transport !== 'http') refuse(path, 'has a meaning under transport: http only');
      if (entry === 'inference.driver' && inference?.alternates.length === 0) {
        refuse(path, 'needs at least one entry in inference.alternates');
      }
    });
  }
  const primary = inference?.transport === 'http' ? inference.driver?.artifact : undefined;
  control.secrets.forEach((secret, index) => {
    const users = manifest.artifacts.filter((entry) => referenceName(entry.gateway?.apiKey ?? '') === secret);
    const path = ['control', 'secrets', index];
    if (users.length === 0) refuse(path, 'is not the api_key of any gateway');
    if (users.some((entry) => entry.name === primary)) refuse(path, "is the key of the session's own driver");
  });
}

/** The program of a command line: its first word as a shell splits it. */
function firstWord(command: string): string {
  let word = '';
  let quote = '';
  for (const character of command.trimStart()) {
    if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") quote = character;
    else if (/\s/.test(character)) break;
    else word += character;
  }
  return word;
}
