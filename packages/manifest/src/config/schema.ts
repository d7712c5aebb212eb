import type { z } from 'zod';
import {
  block,
  choice,
  converted,
  described,
  listOf,
  namedBlocks,
  optionalText,
  text,
  textWhere,
  wholeNumber,
} from '../fields.js';
import { isReferenceName } from '../reference.js';
import type { KeyState } from '../served.js';

const credentialValue = converted<string>('text', (value) => (typeof value === 'string' ? value : undefined));

const hostPath = block({
  path: described(
    'Absolute, or `~/…` below the home directory.',
    textWhere(
      'an absolute path other than /, or one that starts with ~/',
      (value) => /^(\/|~\/)/.test(value) && !/^\/+$/.test(value) && !value.includes('\0'),
    ),
  ),
  access: described('What is granted.', choice(['read', 'read-write'])),
});

/** Every key of a configuration file. */
export const configSchema = block({
  registry: described(
    'Where artifacts are looked for.',
    block({
      default: described('Name of the source tried first.', optionalText()),
      index_url: described('Address of the index of artifacts.', optionalText()),
      sources: described(
        'The sources.',
        listOf(
          block({
            name: described('Name of the source.', text()),
            type: described('Kind of source.', choice(['github'])),
            repo: described('`owner/repo`.', optionalText()),
            url: described('Address.', optionalText()),
            token: described(`\`\${NAME}\`, the name of a variable, or the token itself.`, optionalText()),
          }),
        )
          .superRefine((sources, issues) => {
            sources.forEach((source, index) => {
              if (sources.findIndex((other) => other.name === source.name) === index) return;
              issues.addIssue({ code: 'custom', path: [index, 'name'], message: 'is used twice' });
            });
          })
          .default([]),
      ),
    }).prefault({}),
  ),
  inference: described(
    'What `mur new` proposes.',
    block({
      provider: described('The provider.', choice(['anthropic', 'openai']).optional()),
      model: described('The model.', optionalText()),
      api_key: described(`\`\${NAME}\`, or the key itself.`, optionalText()),
      endpoint: described('Its address; absent = the provider’s own.', optionalText()),
    }).prefault({}),
  ),
  credentials: described(
    `Keys by name, for \`\${NAME}\`; only in the global file.`,
    namedBlocks(credentialValue)
      .superRefine((credentials, issues) => {
        for (const name of Object.keys(credentials)) {
          if (isReferenceName(name)) continue;
          issues.addIssue({
            code: 'custom',
            path: [name],
            message: 'is not a name of capitals, digits and _',
          });
        }
      })
      .default({}),
  ),
  spend: described(
    'Ceilings on spending.',
    block({
      machine_tokens_per_day: described('Tokens of all runs of one day.', wholeNumber(1).optional()),
    }).prefault({}),
  ),
  containment: described(
    'The weakest containment any capsule may run with.',
    choice(['advisory', 'scoped', 'sealed']).optional(),
  ),
  beta: described(
    'Features to try.',
    block({ enabled: described('Their names.', listOf(text()).default([])) }).prefault({}),
  ),
  host_paths: described(
    'Host directories granted to every contained capsule; only in the global file.',
    listOf(hostPath)
      .superRefine((paths, issues) => {
        paths.forEach((entry, index) => {
          if (paths.findIndex((other) => other.path === entry.path) === index) return;
          issues.addIssue({ code: 'custom', path: [index, 'path'], message: 'is listed twice' });
        });
      })
      .default([]),
  ),
});

export type ConfigRecord = z.output<typeof configSchema>;

const served: KeyState = { state: 'served' };
const noEffect: KeyState = { state: 'no effect' };

/** What this build does with each key; see the states of the capsule manifest. */
export const configStates: Readonly<Record<string, KeyState>> = {
  'registry.default': noEffect,
  'registry.index_url': noEffect,
  'registry.sources': noEffect,
  'inference.provider': noEffect,
  'inference.model': noEffect,
  'inference.api_key': noEffect,
  'inference.endpoint': noEffect,
  credentials: noEffect,
  'spend.machine_tokens_per_day': { state: 'not enforced' },
  containment: served,
  'beta.enabled': noEffect,
  host_paths: { state: 'not served', asks: (value) => Array.isArray(value) && value.length > 0 },
};
