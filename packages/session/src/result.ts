import type { Beneath } from '@murmur/beneath';
import { diagnose, type ErrorCondition } from '@murmur/errors';
import type { TurnOutcome } from '@murmur/process-driver';

/**
 * Writes `out/result.txt`: the answer, a canceled run's last words, or the error's text.
 * @throws MurmurError E-IO-002, E-IO-003
 */
export async function writeResult(
  records: Beneath,
  outcome: TurnOutcome,
  error: ErrorCondition | null,
): Promise<void> {
  const text =
    outcome.status === 'failed' && error !== null
      ? `error: ${diagnose(error).message}\n`
      : (outcome.result ?? '');
  await records.write('out/result.txt', text, { mode: 0o600 });
}
