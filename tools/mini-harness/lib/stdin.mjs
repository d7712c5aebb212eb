/** The first line decides: a task in JSON keeps stdin as a control channel, anything else is text up to its end. */
export function readTask(onInterrupt) {
  return new Promise((resolveTask) => {
    let buffered = '';
    let task = null;
    const takeLine = (line) => {
      let message = null;
      try {
        message = JSON.parse(line);
      } catch {}
      if (task === null && message?.type === 'task' && typeof message.text === 'string') {
        task = message.text;
        resolveTask(task);
      } else if (task === null) return false;
      else if (message?.type === 'interrupt') onInterrupt();
      return true;
    };
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (chunk) => {
      buffered += chunk;
      for (let end = buffered.indexOf('\n'); end >= 0; end = buffered.indexOf('\n')) {
        if (!takeLine(buffered.slice(0, end))) break;
        buffered = buffered.slice(end + 1);
      }
    });
    process.stdin.on('end', () => {
      if (task === null && !takeLine(buffered)) resolveTask(buffered.trim());
    });
  });
}
