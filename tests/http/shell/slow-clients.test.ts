import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONNECTION_TIMEOUTS } from '#server/http/limits/connection-limits.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

// Clients that read or send slowly must not use much memory or block other clients.

const TEXT = 'word '.repeat(200)
const [BATCHES, PER_BATCH] = [6, 5000]
const EXPORT_BYTES = BATCHES * PER_BATCH * TEXT.length
/** Limit in bytes for Node's own response buffers, in addition to those of the operating system. */
const MAX_HELD_BYTES = 1_000_000

let app: TestApp
let owner: Caller
let port = 0

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  await owner.post('/api/collections', { label: 'Papers', fields: [{ label: 'Text', kind: 'long-text' }] })
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const create = Array.from({ length: PER_BATCH }, () => ({ values: { text: TEXT } }))
    expect((await owner.post('/api/collections/papers/records/bulk', { create })).status).toBe(200)
  }
  port = Number(new URL(await app.listen()).port)
})
afterAll(() => app.close())

/** Sends a request without reading the response; returns both ends of the connection. */
async function askAndNotRead(path: string) {
  const arrived = once(app.app.server, 'connection')
  const client = connect({ port, host: '127.0.0.1' }).pause()
  const [served] = (await arrived) as [Socket]
  client.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${owner.token}\r\n\r\n`)
  return { client, served }
}

/** Closes the client's socket and waits until the server detects it. */
async function hangUp({ client, served }: { readonly client: Socket; readonly served: Socket }): Promise<void> {
  const closed = new Promise((resolve) => served.once('close', resolve))
  client.destroy()
  if (!served.closed) await closed
}

/** Waits until the server can't write any more data to the connection. */
async function untilStill(served: Socket): Promise<void> {
  let before = -1
  await expect
    .poll(
      () => {
        const isStill = served.bytesWritten > 0 && served.bytesWritten === before
        before = served.bytesWritten
        return isStill
      },
      { interval: 500 },
    )
    .toBe(true)
}

describe('a response that its client stops reading', () => {
  test('is generated only as far as buffers allow, while other requests are served', async () => {
    const { client, served } = await askAndNotRead('/api/collections/papers/export.csv')
    await untilStill(served)
    expect(served.bytesWritten).toBeLessThan(EXPORT_BYTES * 0.7)
    expect(served.writableLength).toBeLessThan(MAX_HELD_BYTES)
    expect((await owner.get('/api/collections/papers/records')).status).toBe(200)
    await hangUp({ client, served })
  })

  test('counts toward a separate limit, so its client can still send requests', async () => {
    const all = []
    for (let at = 0; at < 12; at += 1) all.push(await askAndNotRead('/api/collections/papers/export.csv'))
    expect((await owner.get('/api/collections/papers/records')).status).toBe(200)
    for (const connection of all) await hangUp(connection)
    expect((await owner.get('/api/collections/papers/records')).status).toBe(200)
  })
})

describe('connections', () => {
  test('is aborted after a timeout, while uploads can take hours', () => {
    const { server } = app.app
    expect(server.headersTimeout).toBe(CONNECTION_TIMEOUTS.http.headersTimeout)
    expect(server.timeout).toBe(CONNECTION_TIMEOUTS.connectionTimeout)
    expect(server.keepAliveTimeout).toBe(CONNECTION_TIMEOUTS.keepAliveTimeout)
    expect(server.requestTimeout).toBe(0)
  })
})
