import { lookup } from 'node:dns/promises'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

/** What another server answered. Its body must be read or destroyed. */
export type RemoteResponse = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Readable }

/** The way out to other servers: names are looked up, and an address that was looked at is the one that is asked. */
export type RemoteClient = {
  readonly resolve: (hostname: string) => Promise<readonly string[]>
  /** Asks that very address, and no other, for what stands at `url`. */
  readonly ask: (url: URL, address: string, signal: AbortSignal) => Promise<RemoteResponse>
}

/** How long another server may be silent, in ms. */
const IDLE_TIMEOUT_MS = 10_000

const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Dossier' }

/** The real one. */
export const remoteClient: RemoteClient = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  ask: async (url, address, signal) => {
    const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
    const family = address.includes(':') ? 6 : 4
    return new Promise((resolve, reject) => {
      const asking = request(url, {
        agent: false,
        headers: HEADERS,
        signal,
        timeout: IDLE_TIMEOUT_MS,
        // The name was looked up once, and is not looked up again: it could lead elsewhere the second time.
        lookup: (_hostname, { all }, answer) =>
          all === true ? answer(null, [{ address, family }]) : answer(null, address, family),
      })
      asking.on('timeout', () => asking.destroy(new Error('The remote server sent no data for too long.')))
      asking.on('error', reject)
      asking.on('response', (body: IncomingMessage) =>
        resolve({ status: body.statusCode ?? 0, headers: body.headers, body }),
      )
      asking.end()
    })
  },
}
