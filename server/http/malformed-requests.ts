import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '#domain/shared/problem.ts'
import { bodyOfProblem } from './responses/errors.ts'

type ConnectionError = Error & { readonly code?: string }

/** What no route comes to see, because it is no request: said by Node's own reader of HTTP. */
function problemOf({ code }: ConnectionError): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('too-large', 'The URL and headers of a request can be at most 16 KB in total.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('invalid-request', 'Request timeout: the request didn’t arrive in time.')
    default:
      return new Problem('invalid-request', 'Malformed HTTP request.')
  }
}

/** Answers what is no request, and ends the connection: nobody knows where on it the next one would begin. */
export function answerMalformedRequest(error: ConnectionError, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const problem = problemOf(error)
    const body = JSON.stringify(bodyOfProblem(problem, randomUUID()))
    const head = [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroy()
}
