import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A TCP proxy that can interrupt connections. */
export type TcpProxy = {
  readonly port: number
  /** Simulates a fault; by default, the proxy forwards everything. */
  readonly become: (state: WireState) => void
  readonly close: () => Promise<void>
}

/**
 * `silent`: withholds data in both directions; `cut`: resets all connections, including new ones; `slow`: delays data
 * by 200 ms.
 */
export type WireState = 'sound' | 'silent' | 'cut' | 'slow'

const SLOW_MS = 200

/** Starts a proxy for a local port. */
export async function openTcpProxy(target: number): Promise<TcpProxy> {
  const ends = new Set<Socket>()
  let state: WireState = 'sound'

  const tie = (from: Socket, to: Socket): void => {
    ends.add(from)
    // Preserves the order of delayed data.
    let sent = Promise.resolve()
    const send = (act: () => void): void => {
      sent = sent.then(() => (state === 'slow' ? pause(SLOW_MS) : undefined)).then(act)
    }
    from.on('data', (bytes) => send(() => to.destroyed || to.write(bytes)))
    from.on('end', () => send(() => to.end()))
    // Forwards connection resets.
    from.on('error', () => to.resetAndDestroy())
    from.on('close', () => {
      ends.delete(from)
      send(() => to.destroy())
    })
    if (state === 'silent') from.pause()
  }
  const server = createServer((near) => {
    if (state === 'cut') return void near.resetAndDestroy()
    const far = connect(target, '127.0.0.1')
    tie(near, far)
    tie(far, near)
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    become: (next) => {
      state = next
      for (const end of ends) {
        if (next === 'cut') end.resetAndDestroy()
        else if (next === 'silent') end.pause()
        else end.resume()
      }
    },
    close: async () => {
      for (const end of ends) end.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The database URL with the proxy's port. */
export function addressOver({ port }: TcpProxy, databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.port = String(port)
  return url.href
}
