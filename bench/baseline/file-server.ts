/**
 * File baseline: a `node:http` server that writes a file, calls fsync once the file is complete, and serves it. No
 * hashing, permissions, database or state between chunks. Usage: `node file-server.ts <folder>`.
 */
import { createReadStream, write } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const [folder = ''] = process.argv.slice(2)

/** Paths are `/<name>`; only the benchmark sends requests. */
const pathOf = ({ url = '' }: IncomingMessage): string => join(folder, url.slice(1))

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const offset = Number(request.headers['upload-offset'] ?? 0)
  const handle = await open(pathOf(request), offset === 0 ? 'w' : 'r+')
  let at = offset
  const target = new Writable({
    write: (part: Buffer, _encoding, done) => {
      const place = at
      at += part.length
      write(handle.fd, part, 0, part.length, place, done)
    },
  })
  await pipeline(request, target)
  const isWhole = at === Number(request.headers['upload-length'])
  if (isWhole) await handle.sync()
  await handle.close()
  response.writeHead(204).end()
}

const server = createServer((request, response) => {
  const answering =
    request.method === 'GET' ? pipeline(createReadStream(pathOf(request)), response) : take(request, response)
  answering.catch(() => response.destroy())
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`port ${typeof address === 'object' && address ? address.port : 0}\n`)
})
