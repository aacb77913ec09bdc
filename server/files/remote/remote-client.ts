import { lookup } from 'node:dns/promises'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

/** The caller must read or destroy the body. */
export type RemoteResponse = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Readable }

/** Separates DNS resolution from the request, so that the request goes to the address that was checked. */
export type RemoteClient = {
  readonly resolve: (hostname: string) => Promise<readonly string[]>
  /** Sends the request for `url` to exactly this address. */
  readonly ask: (url: URL, address: string, signal: AbortSignal) => Promise<RemoteResponse>
}

const IDLE_TIMEOUT_MS = 10_000

const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Dossier' }

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
        // Skips a second DNS lookup, which could return a different address.
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
