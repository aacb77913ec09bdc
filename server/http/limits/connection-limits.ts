import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientAddressKey } from '#server/platform/http/client-address.ts'

/** Connections at a time, idle ones included. Below what a process may have open on most machines (4096). */
const MAX_CONNECTIONS = 3000

/** How long connections may take, in ms. */
export const CONNECTION_TIMEOUTS = {
  /** For a whole request: unlimited, since an upload may take hours. JSON has its own limit (`read-json.ts`). */
  requestTimeout: 0,
  /** Idle time in either direction: an unread answer, a stalled body. */
  connectionTimeout: 5 * 60_000,
  /**
   * Between two requests: longer than the minute a proxy keeps its connections, so that it is never ours that ends
   * under one.
   */
  keepAliveTimeout: 72_000,
  http: {
    /** For the head of a request: one packet, mostly. */
    headersTimeout: 20_000,
    /** How often Node looks. */
    connectionsCheckingInterval: 5000,
  },
} as const

/**
 * Shares `most` connections between addresses. When they are used up, a new one takes the place of an idle one of the
 * address that holds most; a new one of that very address is closed.
 */
export function limitConnections(server: Server, most: number = MAX_CONNECTIONS): void {
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
    if (count >= most && !makeRoom(address)) return void socket.destroy()
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
