/**
 * What is wrong with a `gateway.endpoint`, or `null`. `https` to any host, `http` to this machine only: a key
 * never travels in the clear. Spec: manifest, gateways.
 */
export function endpointProblem(endpoint: string): string | null {
  if (endpoint.trim() === '') return 'must be an address';
  if (endpoint.includes('${')) return 'is taken as it stands: a reference is not replaced here';
  // What follows is read by hand, because a URL parser repairs what it should refuse: backslashes, blanks,
  // tabs and other spellings of an address.
  const match = /^(https?):\/\/([^/?#]*)([^?#]*)([?#].*)?$/i.exec(endpoint);
  if (match === null) return 'must start with https://, or with http:// for this machine';
  const [, scheme = '', authority = '', path = '', tail] = match;
  if (authority.includes('@')) {
    const host = authority.slice(authority.lastIndexOf('@') + 1);
    return `holds a user name or password; the host it would reach is ${host === '' ? 'missing' : host}`;
  }
  if (tail !== undefined) return 'must have neither a query nor a fragment';
  if (/[\\\s\u0000-\u0020\u007f]/.test(authority + path))
    return 'holds a blank, a control character or a backslash';
  if (!URL.canParse(endpoint) || !/^(\[[^\]]+\]|[^:[\]]+)(:\d{1,5})?$/.test(authority)) {
    return 'is not an address that can be read';
  }
  if (scheme.toLowerCase() === 'http' && !isThisMachine(authority.replace(/:\d+$/, '').toLowerCase())) {
    return 'may use http only for localhost, 127.0.0.0/8 or [::1]';
  }
  return null;
}

function isThisMachine(host: string): boolean {
  if (host === 'localhost' || host === '[::1]') return true;
  const parts = host.split('.');
  return (
    parts.length === 4 &&
    parts[0] === '127' &&
    parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
}
