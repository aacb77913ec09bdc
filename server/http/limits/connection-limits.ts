import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientAddressKey } from '#server/platform/http/client-connection.ts'

/** Includes idle connections; stays below the usual limit for open files per process (4,096). */
const MAX_CONNECTIONS = 3000

/** Timeouts in milliseconds. */
export const CONNECTION_TIMEOUTS = {
  /**
   * No timeout for the whole request, because uploads can take hours. JSON bodies have their own limit
   * (`read-json.ts`).
   */
  requestTimeout: 0,
  /** Timeout without traffic in either direction. */
  connectionTimeout: 5 * 60_000,
  /**
   * Longer than the 60 seconds for which proxies usually keep idle connections open, so that a proxy never sends a
   * request on a connection that the server is closing.
   */
  keepAliveTimeout: 72_000,
  http: {
    headersTimeout: 20_000,
    connectionsCheckingInterval: 5000,
  },
} as const

/**
 * Limits connections to `max`; above the limit, a new connection replaces an idle one from the address with the most
 * connections.
 */
export function limitConnections(server: Server, max: number = MAX_CONNECTIONS): void {
  const byAddress = new Map<string, Set<Socket>>()
  const underWay = new WeakMap<Socket, number>()
  let count = 0

  const makeRoom = (newcomer: string): boolean => {
    const [heaviest] = [...byAddress].toSorted(([, one], [, other]) => other.size - one.size)
    if (heaviest === undefined || heaviest[1].size <= (byAddress.get(newcomer)?.size ?? 0) + 1) return false
    const idle = [...heaviest[1]].find((socket) => !underWay.has(socket))
    idle?.destroy()
    return idle !== undefined
  }

  server.on('connection', (socket: Socket) => {
    const address = clientAddressKey(socket.remoteAddress ?? '')
    if (count >= max && !makeRoom(address)) return void socket.destroy()
    const sockets = byAddress.get(address) ?? new Set()
    byAddress.set(address, sockets.add(socket))
    count += 1
    socket.once('close', () => {
      count -= 1
      sockets.delete(socket)
      if (sockets.size === 0) byAddress.delete(address)
    })
  })
  server.on('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1)
    answer.once('close', () => {
      const left = (underWay.get(socket) ?? 1) - 1
      if (left === 0) underWay.delete(socket)
      else underWay.set(socket, left)
    })
  })
}
