/** Lines of stdin, read only once somebody asks: a script that never reads leaves the pipe full. */
export function openStdin() {
  const lines = [];
  const waiting = [];
  let rest = '';
  let ended = false;
  let started = false;

  function settle() {
    while (waiting.length > 0 && (lines.length > 0 || ended)) waiting.shift()(lines.shift() ?? null);
  }
  function start() {
    if (started) return;
    started = true;
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (chunk) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop();
      lines.push(...parts);
      settle();
    });
    process.stdin.on('end', () => {
      if (rest !== '') lines.push(rest);
      rest = '';
      ended = true;
      settle();
    });
  }
  return {
    /** The next line; null at the end. */
    line() {
      start();
      return new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      });
    },
    /** What is left, up to the end. */
    async rest() {
      const all = [];
      for (let line = await this.line(); line !== null; line = await this.line()) all.push(line);
      return all.join('\n');
    },
  };
}
