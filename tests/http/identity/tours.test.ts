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

test('an owner can turn tours off and on for everyone', async () => {
  const isOn = async (caller: Caller) => (await caller.get('/api/account/tours')).body.isOn
  expect(await isOn(grace)).toBe(true)
  expect((await grace.patch('/api/workspace/tours', { isOn: false })).status).toBe(403)
  expect((await ada.patch('/api/workspace/tours', { isOn: false })).body).toEqual({ isOn: false })
  expect(await isOn(grace)).toBe(false)
  await ada.patch('/api/workspace/tours', { isOn: true })
  expect(await isOn(grace)).toBe(true)
})

test('stores tour progress per user, even for removed tours', async () => {
  const progress = { tour: 'owner', version: 1, state: 'dismissed', step: 2 }
  expect((await ada.put('/api/account/tours', progress)).status).toBe(204)
  expect((await ada.get('/api/account/tours')).body.items).toContainEqual(progress)
  expect((await grace.get('/api/account/tours')).body.items).not.toContainEqual(progress)
})

test('rejects unknown tour versions and steps, and invalid names', async () => {
  const progress = { tour: 'owner', version: 1, state: 'seen', step: 0 }
  for (const wrong of [{ version: 3_000_000_000 }, { step: -1 }]) {
    expect((await ada.put('/api/account/tours', { ...progress, ...wrong })).status).toBe(400)
  }
  expect((await ada.put('/api/account/tours', { ...progress, tour: 'own\0er' })).status).toBe(422)
})
