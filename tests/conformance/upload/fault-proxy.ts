import { once } from 'node:events'
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http'
import { connect as connectTo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import { randomFault, type Fault } from './faults.ts'
import { bearsFile, countOne, noTraffic, openOffsetCheck, sendsToUpload, type Traffic } from './traffic.ts'

/** A static file served by the proxy itself. */
export type OwnFile = { readonly type: string; readonly body: string }

/** A proxy between the page and the server that injects faults. */
export type ProxySettings = {
  readonly port: number
  readonly serverPort: number
  readonly draw: Random
  /** Static files of the test page by path; they have the same origin as the server. */
  readonly files: ReadonlyMap<string, OwnFile>
  readonly onBytes: (bytes: number) => void
  /** Resolves once the server is reachable. */
  readonly whenUp: () => Promise<void>
}

/** A local reverse proxy that injects faults. It identifies clients by their user agent. */
export type FaultProxy = {
  readonly port: number
  readonly traffic: (userAgent: string) => Traffic
  /** Sets the failure rate (0 to 1) for subsequent requests that contain file bytes. */
  readonly setFaults: (share: number) => void
  /** Sets faults for the next requests that create or continue an upload; they take precedence over random faults. */
  readonly planFaults: (faults: readonly Fault[]) => void
  readonly close: () => Promise<void>
}

/** Fraction of requests that wait while the server is down; the others receive a 502. */
const WAITING_SHARE = 0.5

type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The connection from the client. */
  readonly socket: Socket
  readonly fault: Fault
  readonly traffic: Traffic
}

/** Closes the connection unless the response is complete, because the connection may already carry the next request. */
function hangUp({ response, socket }: Exchange, isReset = false): void {
  if (response.writableFinished) return
  if (isReset) socket.resetAndDestroy()
  else socket.destroy()
}

function sendBadGateway({ response, traffic }: Exchange): void {
  countOne(traffic.statuses, 502)
  // The rest of the body isn't read, so the connection can't be reused.
  response.writeHead(502, { connection: 'close', 'content-type': 'text/plain' }).end('Can’t reach the server.')
}

/** Connects to the server; returns undefined while the server is down. */
const reach = (port: number): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connectTo({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(undefined))
  })

/** Resolves when the stream is writable again or the connection is closed. */
const whenDrained = (asking: ClientRequest): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      asking.off('drain', go).off('close', go)
      resolve()
    }
    asking.on('drain', go).on('close', go)
  })

/**
 * The number of bytes to forward from this buffer before the fault occurs; undefined if it doesn't occur in this
 * buffer.
 */
function strikesAt(fault: Fault, passed: number, part: Buffer): number | undefined {
  if (!('afterBytes' in fault) || fault.type === 'half-answer') return undefined
  const left = fault.afterBytes - passed
  return left >= 0 && left <= part.length ? left : undefined
}

/** Corrupts the byte at this position if the fault type is `spoil`. */
function spoil(part: Buffer, fault: Fault, at: number | undefined): void {
  if (at !== undefined && fault.type === 'spoil') part[at] = 255 - (part[at] ?? 0)
}

async function stall(fault: Fault): Promise<void> {
  if (fault.type === 'stall') await pause(fault.ms)
}

/** Forwards the body until the fault occurs or either side disconnects. */
async function passBody(exchange: Exchange, asking: ClientRequest, onBytes: (bytes: number) => void): Promise<void> {
  const { request, fault, traffic } = exchange
  const isFile = bearsFile(request)
  let passed = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    const struckAt = strikesAt(fault, passed, part)
    const isCut = struckAt !== undefined && (fault.type === 'cut' || fault.type === 'reset')
    const sent = isCut ? part.subarray(0, struckAt) : part
    spoil(part, fault, struckAt)
    passed += part.length
    if (isFile) {
      traffic.fileBytes += sent.length
      onBytes(sent.length)
    }
    if (!asking.destroyed && !asking.write(sent)) await whenDrained(asking)
    if (isCut) {
      asking.destroy()
      return hangUp(exchange, fault.type === 'reset')
    }
    if (struckAt !== undefined) await stall(fault)
  }
  asking.end()
}

/** Length of a truncated status line that doesn't contain the full status code. */
const NO_STATUS = 'HTTP/1.1 2'.length

/**
 * Returns the truncated start of a response. The head is never truncated after the status: without TLS, browsers would
 * treat it as a complete response with an empty body, which FilePond would use as the file ID.
 */
const firstOf = (head: string, bytes: number): string => (bytes <= NO_STATUS ? head.slice(0, bytes) : head)

export async function openFaultProxy(settings: ProxySettings): Promise<FaultProxy> {
  const { draw, files } = settings
  const traffics = new Map<string, Traffic>()
  const offsetCheck = openOffsetCheck()
  const planned: Fault[] = []
  let share = 0

  const trafficOf = (userAgent: string): Traffic => {
    const known = traffics.get(userAgent) ?? noTraffic()
    traffics.set(userAgent, known)
    return known
  }

  const faultFor = (request: IncomingMessage): Fault => {
    const next = sendsToUpload(request) ? planned.shift() : undefined
    if (next !== undefined) return next
    const bytes = Number(request.headers['content-length'] ?? 0)
    return bearsFile(request) ? randomFault(draw, share, bytes) : { type: 'none' }
  }

  /** Forwards the response, or only the part before the fault. */
  const passAnswer = (exchange: Exchange, answer: IncomingMessage): void => {
    const { request, response, fault, traffic } = exchange
    const { statusCode = 502, headers } = answer
    const offset = headers['upload-offset']
    const isHeard = fault.type !== 'no-answer' && fault.type !== 'half-answer'
    if (typeof offset === 'string' && statusCode < 300) {
      const lost = offsetCheck.note(request.url ?? '', Number(offset), isHeard)
      if (lost !== undefined) traffic.lost.push(lost)
    }
    if (fault.type === 'no-answer') return hangUp(exchange)
    if (fault.type === 'half-answer') {
      const head = `HTTP/1.1 ${statusCode} OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\n`
      exchange.socket.end(firstOf(head, fault.afterBytes), () => hangUp(exchange))
      return
    }
    countOne(traffic.statuses, statusCode)
    response.writeHead(statusCode, headers)
    answer.on('error', () => hangUp(exchange))
    answer.pipe(response)
  }

  async function pass(exchange: Exchange, hasWaited = false): Promise<void> {
    const { request, response } = exchange
    if (exchange.fault.type === 'bad-gateway') return sendBadGateway(exchange)
    const socket = await reach(settings.serverPort)
    if (socket === undefined) {
      if (hasWaited || !draw.chance(WAITING_SHARE)) return sendBadGateway(exchange)
      await settings.whenUp()
      return pass(exchange, true)
    }
    const { method, url } = request
    const headers = { ...request.headers, connection: 'close' }
    const asking = httpRequest({ method, path: url, headers, createConnection: () => socket })
    asking.on('response', (answer) => passAnswer(exchange, answer))
    asking.on('error', () => response.headersSent || hangUp(exchange))
    response.on('close', () => response.writableFinished || asking.destroy())
    // If the client disconnects, the request to the server is aborted.
    await passBody(exchange, asking, settings.onBytes).catch(() => void asking.destroy())
  }

  const server = createServer((request, response) => {
    const own = files.get(request.url ?? '')
    if (own !== undefined) {
      response.writeHead(200, { 'content-type': own.type }).end(own.body)
      return
    }
    const traffic = trafficOf(request.headers['user-agent'] ?? '')
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    countOne(traffic.requests, `${request.method} ${path.replace(/^(\/api\/tus)\/.*/, '$1/…')}`)
    const fault = faultFor(request)
    if (fault.type !== 'none') countOne(traffic.faults, fault.type)
    void pass({ request, response, socket: request.socket, fault, traffic })
  })
  server.requestTimeout = 0
  server.listen(settings.port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    traffic: trafficOf,
    setFaults: (wanted) => {
      share = wanted
    },
    planFaults: (faults) => {
      planned.splice(0, planned.length, ...faults)
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
