import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let ada: Caller
let grace: Caller

beforeAll(async () => {
  app = await openTestApp()
  ada = await app.asOwner()
  grace = await app.asViewer()
})
afterAll(() => app.close())

const offer = async (caller: Caller, tour: string, version: number) =>
  (await caller.post(`/api/account/tours/${tour}/offer`, { version })).body.mayShow

test('shows a tour automatically in one tab only, and again when it has new steps', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => offer(ada, 'first-steps', 1)))
  expect(answers.filter(Boolean)).toHaveLength(1)
  expect(await offer(ada, 'first-steps', 1)).toBe(false)
  expect(await offer(grace, 'first-steps', 1)).toBe(true)
  expect(await offer(ada, 'first-steps', 2)).toBe(true)
  expect(await offer(ada, 'first-steps', 1)).toBe(false)
})

test('stores tour progress per user, even for tours no longer offered', async () => {
  const progress = { tour: 'owner', version: 1, state: 'dismissed', step: 2 }
  expect((await ada.put('/api/account/tours', progress)).status).toBe(204)
  expect(await offer(ada, 'owner', 1)).toBe(false)
  expect((await ada.get('/api/account/tours')).body.items).toContainEqual(progress)
  expect((await grace.get('/api/account/tours')).body.items).not.toContainEqual(progress)
})

test('rejects unknown versions and steps, and invalid names', async () => {
  const progress = { tour: 'owner', version: 1, state: 'seen', step: 0 }
  for (const wrong of [{ version: 3_000_000_000 }, { step: -1 }]) {
    expect((await ada.put('/api/account/tours', { ...progress, ...wrong })).status).toBe(400)
  }
  expect((await ada.put('/api/account/tours', { ...progress, tour: 'own\0er' })).status).toBe(422)
  expect((await ada.post('/api/account/tours/own%00er/offer', { version: 1 })).status).toBe(400)
})
