import { DiscardingStream, Resource } from './streams.js';

/** `wasi:filesystem`, `wasi:sockets`, `wasi:http`: no directory, no address, no request. */

class Descriptor extends Resource {}
class DirectoryEntryStream extends Resource {}

function accessDenied(): never {
  throw 'access-denied';
}

class Network extends Resource {}
class ResolveAddressStream extends Resource {}
class TcpSocket extends Resource {}
class UdpSocket extends Resource {}
class IncomingDatagramStream extends Resource {}
class OutgoingDatagramStream extends Resource {}

type Header = readonly [string, Uint8Array];

/** Headers work: a guest may put a request together before it hears that it may not send it. */
class Fields extends Resource {
  readonly headers: Header[] = [];

  static fromList(entries: readonly Header[]): Fields {
    const fields = new Fields();
    fields.headers.push(...entries);
    return fields;
  }
  get(name: string): Uint8Array[] {
    return this.headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
  }
  has(name: string): boolean {
    return this.get(name).length > 0;
  }
  set(name: string, values: readonly Uint8Array[]): void {
    this.delete(name);
    for (const value of values) this.headers.push([name, value]);
  }
  delete(name: string): void {
    const kept = this.headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase());
    this.headers.splice(0, this.headers.length, ...kept);
  }
  append(name: string, value: Uint8Array): void {
    this.headers.push([name, value]);
  }
  entries(): readonly Header[] {
    return [...this.headers];
  }
  clone(): Fields {
    return Fields.fromList(this.headers);
  }
}

class OutgoingBody extends Resource {
  static finish(): void {}
  write(): DiscardingStream {
    return new DiscardingStream();
  }
}

class OutgoingRequest extends Resource {
  #method: unknown = { tag: 'get' };
  #scheme: unknown;
  #authority: string | undefined;
  #path: string | undefined;
  readonly #headers: Fields;

  constructor(headers: Fields) {
    super();
    this.#headers = headers;
  }
  body(): OutgoingBody {
    return new OutgoingBody();
  }
  method(): unknown {
    return this.#method;
  }
  setMethod(method: unknown): void {
    this.#method = method;
  }
  scheme(): unknown {
    return this.#scheme;
  }
  setScheme(scheme: unknown): void {
    this.#scheme = scheme;
  }
  authority(): string | undefined {
    return this.#authority;
  }
  setAuthority(authority: string | undefined): void {
    this.#authority = authority;
  }
  pathWithQuery(): string | undefined {
    return this.#path;
  }
  setPathWithQuery(path: string | undefined): void {
    this.#path = path;
  }
  headers(): Fields {
    return this.#headers;
  }
}

class RequestOptions extends Resource {
  connectTimeout(): undefined {}
  setConnectTimeout(): void {}
  firstByteTimeout(): undefined {}
  setFirstByteTimeout(): void {}
  betweenBytesTimeout(): undefined {}
  setBetweenBytesTimeout(): void {}
}

class IncomingBody extends Resource {}
class IncomingRequest extends Resource {}
class IncomingResponse extends Resource {}
class FutureIncomingResponse extends Resource {}
class FutureTrailers extends Resource {}
class OutgoingResponse extends Resource {}
class ResponseOutparam extends Resource {}

function requestDenied(): never {
  throw { tag: 'HTTP-request-denied' };
}

export const wasiRefusals = {
  'wasi:filesystem/types': { Descriptor, DirectoryEntryStream, filesystemErrorCode: () => undefined },
  'wasi:filesystem/preopens': { getDirectories: () => [] },
  'wasi:sockets/network': { Network },
  'wasi:sockets/instance-network': { instanceNetwork: () => new Network() },
  'wasi:sockets/ip-name-lookup': { ResolveAddressStream, resolveAddresses: accessDenied },
  'wasi:sockets/tcp': { TcpSocket },
  'wasi:sockets/tcp-create-socket': { createTcpSocket: accessDenied },
  'wasi:sockets/udp': { UdpSocket, IncomingDatagramStream, OutgoingDatagramStream },
  'wasi:sockets/udp-create-socket': { createUdpSocket: accessDenied },
  'wasi:http/types': {
    Fields,
    FutureIncomingResponse,
    FutureTrailers,
    IncomingBody,
    IncomingRequest,
    IncomingResponse,
    OutgoingBody,
    OutgoingRequest,
    OutgoingResponse,
    RequestOptions,
    ResponseOutparam,
    httpErrorCode: () => undefined,
  },
  'wasi:http/outgoing-handler': { handle: requestDenied },
};
