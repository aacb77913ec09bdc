import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export type RangeRequest = { readonly path: string; readonly headers: IncomingMessage['headers'] }

type Answering = (response: ServerResponse, prefix: string) => void

const PADDING = 20

/** The hash prefix sent in a request, and the suffix expected in the response. */
export function rangeOf(password: string): { readonly prefix: string; readonly suffix: string } {
  const hash = createHash('sha1').update(password.normalize('NFC')).digest('hex').toUpperCase()
  return { prefix: hash.slice(0, 5), suffix: hash.slice(5) }
}

/** A local list of leaked passwords with the range API of public services. */
export async function openPasswordRange() {
  const leaked = new Map<string, number>()
  const requests: RangeRequest[] = []
  let instead: Answering | undefined

  const answerRange: Answering = (response, prefix) => {
    const rows = [...leaked].flatMap(([password, count]) => {
      const range = rangeOf(password)
      return range.prefix === prefix ? [`${range.suffix}:${count}`] : []
    })
    const padding = Array.from({ length: PADDING }, (_, nth) => `${rangeOf(`padding ${nth}`).suffix}:0`)
    response.end([...rows, ...padding].join('\r\n'))
  }

  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers })
    const answer = instead ?? answerRange
    answer(response, path.slice(path.lastIndexOf('/') + 1))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: new URL(`http://127.0.0.1:${port}/range/`),
    requests,
    /** Adds a leaked password with its number of occurrences. */
    leak: (password: string, count: number) => void leaked.set(password, count),
    /** Overrides the server's responses; undefined restores the normal ones. */
    answerWith: (answering: Answering | undefined) => {
      instead = answering
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type PasswordRange = Awaited<ReturnType<typeof openPasswordRange>>
