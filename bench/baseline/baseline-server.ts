/**
 * Minimal single-threaded baseline server: `node:http`, `node:sqlite` and a token comparison, without permissions,
 * validation or change log, but with indexes for the benchmark's requests. Usage: `node baseline-server.ts <database
 * file> <records to create, or 0> <token>`.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { fillBaseline, type BaselineQuery, openBaselineStore } from './baseline-store.ts'

const [file = '', count = '0', token = ''] = process.argv.slice(2)
if (Number(count) > 0) fillBaseline(file, Number(count))
const store = openBaselineStore(file)

function partsOf({ url = '/' }: IncomingMessage): readonly [BaselineQuery, URLSearchParams] {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  // The cast is safe because only the benchmark sends requests.
  return [pathname.slice(1) as BaselineQuery, searchParams]
}

const server = createServer((request, response) => {
  if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end('{}')
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const [question, given] = partsOf(request)
    if (chunks.length > 0) {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { readonly [name: string]: unknown }
      for (const [name, value] of Object.entries(body)) given.set(name, String(value))
    }
    const body = JSON.stringify(store[question](given))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
  })
})
// Long enough that a blocked event loop does not close connections as idle.
server.keepAliveTimeout = 120_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`port ${typeof address === 'object' && address ? address.port : 0}\n`)
})
