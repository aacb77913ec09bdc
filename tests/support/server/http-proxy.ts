import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request as ask, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

/** A round-robin load balancer for several server processes. */
export type HttpProxy = {
  readonly url: string
  /** Number of requests that failed because the server process died before it responded. */
  readonly unanswered: () => number
  readonly close: () => Promise<void>
}

type Back = { readonly port: number; readonly agent: Agent; asideUntilMs: number }

/** Time in ms for which an unreachable process is skipped. */
const ASIDE_MS = 1000

/** Methods of requests that can safely be repeated. */
const SAFE: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Hop-by-hop headers, which a proxy must not forward. */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/**
 * A load balancer without sticky sessions. Like nginx, it retries a request on the next process if no process received
 * it or its method is safe; otherwise it responds with 502. Bodies are streamed.
 */
export async function openHttpProxy(ports: readonly number[]): Promise<HttpProxy> {
  const backs: Back[] = ports.map((port) => ({ port, agent: new Agent({ keepAlive: true }), asideUntilMs: 0 }))
  let next = 0
  let unanswered = 0
  const giveUp = (response: ServerResponse): void => {
    unanswered += 1
    response.writeHead(502, { 'content-type': 'text/plain' }).end('Nobody answered.')
  }
  const inTurn = (): Back[] => {
    next = (next + 1) % backs.length
    const round = [...backs.slice(next), ...backs.slice(0, next)]
    const isIn = ({ asideUntilMs }: Back) => asideUntilMs <= performance.now()
    return [...round.filter(isIn), ...round.filter((back) => !isIn(back))]
  }
  const server = createServer({ requestTimeout: 0 }, (request, response) =>
    passOn(request, response, inTurn(), () => giveUp(response)),
  )
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    unanswered: () => unanswered,
    close: async () => {
      for (const { agent } of backs) agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  [back, ...others]: readonly Back[],
  giveUp: () => void,
): void {
  if (back === undefined) return giveUp()
  const { method, url: path, headers } = request
  const sending = ask({ host: '127.0.0.1', port: back.port, agent: back.agent, method, path, headers })
  let isSent = false
  let isAnswered = false
  const send = (): void => {
    isSent = true
    if (hasBody(request)) request.pipe(sending)
    else sending.end()
  }
  // Reads the body only after connecting to a process; until then, the request can be sent to another one.
  sending.on('socket', (socket) => (socket.connecting ? socket.once('connect', send) : send()))
  sending.on('response', (answer) => {
    isAnswered = true
    response.writeHead(answer.statusCode ?? 502, headersOf(answer))
    pipeline(answer, response, () => undefined)
  })
  sending.on('error', () => {
    if (isAnswered || response.destroyed) return
    if (!isSent) back.asideUntilMs = performance.now() + ASIDE_MS
    if (isSent && !SAFE.has(method)) return giveUp()
    passOn(request, response, others, giveUp)
  })
  // If the client disconnects, the request to the server process is aborted.
  response.on('close', () => response.writableFinished || sending.destroy())
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function headersOf({ rawHeaders }: IncomingMessage): string[] {
  const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, at) => rawHeaders.slice(2 * at, 2 * at + 2))
  return pairs.filter(([name = '']) => !OF_ONE_CONNECTION.has(name.toLowerCase())).flat()
}
