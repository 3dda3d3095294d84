import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server of this machine that can be shut for a while. */
export interface Gate {
  readonly url: string;
  /** Cuts what is connected off, and refuses whoever comes. */
  shut(): void;
  open(): void;
  stop(): void;
}

/** Opens a way to the server at this port. */
export async function startGate(port: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const follow = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroySoon();
    });
  };
  const server = createServer((from) => {
    if (!isOpen) {
      from.resetAndDestroy();
      return;
    }
    const to = connect(port, '127.0.0.1');
    follow(from, to);
    follow(to, from);
    from.pipe(to).pipe(from);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => sockets.forEach((socket) => socket.resetAndDestroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut: () => {
      isOpen = false;
      cut();
    },
    open: () => {
      isOpen = true;
    },
    stop: () => {
      server.close();
      cut();
    },
  };
}
