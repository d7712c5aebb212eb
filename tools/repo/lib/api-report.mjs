import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { Extractor, ExtractorConfig, ExtractorLogLevel } = createRequire(import.meta.url)(
  '@microsoft/api-extractor',
);

/** Compares a package's public surface with `etc/<name>.api.md`, or rewrites that file. */
export async function apiReport(directory, { update }) {
  const messages = [];
  if (update) mkdirSync(path.join(directory, 'etc'), { recursive: true });
  const config = ExtractorConfig.prepare({
    configObjectFullPath: path.join(directory, 'api-extractor.json'),
    packageJsonFullPath: path.join(directory, 'package.json'),
    configObject: {
      projectFolder: directory,
      mainEntryPointFilePath: path.join(directory, 'dist/index.d.ts'),
      compiler: { tsconfigFilePath: path.join(directory, 'tsconfig.build.json') },
      apiReport: {
        enabled: true,
        reportFileName: `${path.basename(directory)}.api.md`,
        reportFolder: path.join(directory, 'etc'),
        reportTempFolder: path.join(directory, 'temp'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
    },
  });
  const result = Extractor.invoke(config, {
    localBuild: update,
    messageCallback(message) {
      message.handled = true;
      const quiet =
        ['ae-missing-release-tag', 'ae-forgotten-export', 'ae-unresolved-link'].includes(message.messageId) ||
        message.messageId.startsWith('tsdoc-');
      if (
        !quiet &&
        (message.logLevel === ExtractorLogLevel.Error || message.logLevel === ExtractorLogLevel.Warning)
      )
        messages.push(message.formatMessageWithLocation(directory));
    },
  });
  const changed = result.apiReportChanged && !update;
  return {
    ok: !changed && result.errorCount === 0,
    output: changed
      ? `the public surface changed: run \`npm run check -- api --update\` and commit etc/${path.basename(directory)}.api.md\n${messages.join('\n')}`
      : messages.join('\n'),
  };
}
