import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limitConnections } from './connection-limits.ts'

let server: Server
let port = 0
let clients: Socket[] = []
let waiting: ServerResponse[] = []

beforeEach(async () => {
  waiting = []
  clients = []
  server = createServer((request, answer) => {
    if (request.url === '/wait') waiting.push(answer)
    else answer.end('done')
  })
  limitConnections(server, 4)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterEach(async () => {
  for (const client of clients) client.destroy()
  server.closeAllConnections()
  await once(server.close(), 'close')
})

/** Connects from a loopback address; returns the client socket once the server has accepted the connection. */
async function connectFrom(localAddress: string): Promise<Socket> {
  const arrived = once(server, 'connection')
  const client = connect({ port, host: '127.0.0.1', localAddress })
  client.on('error', () => undefined)
  clients.push(client)
  await arrived
  return client
}

async function answerTo(client: Socket): Promise<string> {
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const [bytes] = await once(client, 'data')
  return String(bytes).split('\r\n', 1)[0] ?? ''
}

test('closes an idle connection of the address with the most connections to make room for another address', async () => {
  const held = []
  for (let at = 0; at < 4; at += 1) held.push(await connectFrom('127.0.0.2'))
  const closed = Promise.race(held.map((client) => once(client, 'close')))
  const other = await connectFrom('127.0.0.3')
  expect(await answerTo(other)).toBe('HTTP/1.1 200 OK')
  await closed
})

test('closes a new connection from the address that already has the most connections', async () => {
  for (let at = 0; at < 4; at += 1) await connectFrom('127.0.0.2')
  const more = await connectFrom('127.0.0.2')
  await once(more, 'close')
  expect(clients.filter((client) => !client.destroyed).length).toBe(4)
})

test('never closes a connection with a request in progress', async () => {
  for (let at = 0; at < 4; at += 1) {
    const client = await connectFrom('127.0.0.2')
    const requested = once(server, 'request')
    client.write('GET /wait HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await requested
  }
  const other = await connectFrom('127.0.0.3')
  await once(other, 'close')
  for (const answer of waiting) answer.end('done')
  await Promise.all(clients.slice(0, 4).map((client) => once(client, 'data')))
})
