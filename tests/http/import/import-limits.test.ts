import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let url: string
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
  owner = await app.asOwner()
})
afterAll(() => app.close())

const send = (to: string, who: Caller, body: string): Promise<Response> =>
  fetch(`${to}/api/imports?name=a.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'text/csv' },
    body,
  })

const stagedCount = async (): Promise<number> => (await readdir(join(app.config.dataFolder, 'imports'))).length

/** Starts uploading a CSV file without completing the request. */
async function beginSending(): Promise<ClientRequest> {
  const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'text/csv' }
  const sending = httpRequest(`${url}/api/imports?name=a.csv`, { method: 'POST', headers })
  sending.on('error', () => undefined)
  const arrived = once(app.app.server, 'request')
  sending.write('a,b\n')
  await arrived
  return sending
}

test('deletes the oldest pending CSV file when a user uploads more than ten', async () => {
  const ids: string[] = []
  for (let at = 0; at < 11; at += 1) ids.push((await (await send(url, owner, 'a,b\n1,2\n')).json()).id)
  const states = []
  for (const id of ids) states.push((await owner.get(`/api/imports/${id}`)).body.state)
  expect(states).toEqual(['cancelled', ...Array<string>(10).fill('ready')])
})

test('accepts at most two CSV uploads per user at a time', async () => {
  const before = await stagedCount()
  const open = [await beginSending(), await beginSending()]
  await expect.poll(stagedCount).toBe(before + 2)
  expect((await send(url, owner, 'a\n1\n')).status).toBe(429)
  for (const sending of open) sending.destroy()
  await expect.poll(async () => (await send(url, owner, 'a\n1\n')).status).toBe(201)
})

test('rejects a CSV file when the disk is nearly full', async () => {
  const full = await openTestApp({ config: { diskFloorBytes: 10 ** 18 } })
  const answer = await send(await full.listen(), await full.asOwner(), 'a\n1\n')
  expect([answer.status, (await answer.json()).code]).toEqual([413, 'storage-full'])
  await full.close()
})
