import { afterAll, beforeAll, expect, test } from 'vitest'
import sharp from 'sharp'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let ada: Caller
let grace: Caller

beforeAll(async () => {
  app = await openTestApp()
  ada = await app.asOwner()
  grace = await app.asEditor()
})
afterAll(() => app.close())

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#17594a' } })
    .withMetadata({ exif: { IFD0: { Copyright: 'seven otters' } } })
    .png()
    .toBuffer()

const putLogo = (caller: Caller, raw: Buffer) =>
  caller.request('PUT', '/api/workspace/logo', { raw, headers: { 'content-type': 'image/png' } })

test('the workspace name and logo are public, and only workspace managers can change them', async () => {
  expect((await app.guest.get('/api/workspace/branding')).body).toEqual({ name: '', logo: null })
  expect((await app.guest.get('/api/workspace/logo')).status).toBe(404)
  expect((await grace.patch('/api/workspace/branding', { name: 'Mine' })).status).toBe(403)
  expect((await ada.patch('/api/workspace/branding', { name: ' Harbor  Office ' })).body.name).toBe('Harbor Office')
  expect((await ada.patch('/api/workspace/branding', { name: 'Harbor\u202eOffice' })).status).toBe(400)
  expect((await ada.patch('/api/workspace/branding', { name: 'x'.repeat(61) })).status).toBe(400)
  expect((await app.guest.get('/api/workspace/branding')).body.name).toBe('Harbor Office')
})

test('a logo is re-encoded as a small image without metadata and cached by its URL', async () => {
  expect((await putLogo(grace, await picture(800, 400))).status).toBe(403)
  const changed = await putLogo(ada, await picture(800, 400))
  expect(changed.status, changed.text).toBe(200)
  const shown = await app.app.inject({ url: changed.body.logo })
  expect(shown.headers).toMatchObject({
    'content-type': 'image/webp',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': expect.stringContaining('immutable'),
  })
  const { width, height, exif } = await sharp(shown.rawPayload).metadata()
  expect([width, height, exif]).toEqual([256, 128, undefined])
  expect((await app.guest.get('/api/workspace/logo')).headers['cache-control']).toBe('no-cache')
  expect((await ada.delete('/api/workspace/logo')).body.logo).toBeNull()
})

test.each([
  [
    'a script',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    'file-type-refused',
  ],
  ['text', Buffer.from('hello'), 'file-type-refused'],
  ['nothing', Buffer.alloc(0), 'file-type-refused'],
  ['more than 1 MB', Buffer.alloc(1_000_001), 'too-large'],
])('a logo of %s is refused', async (_what, bytes, code) => {
  expect((await putLogo(ada, bytes)).body.code).toBe(code)
  expect((await app.guest.get('/api/workspace/branding')).body.logo).toBeNull()
})

test('changes to the name and logo are recorded in the audit log, but unchanged values are not', async () => {
  const entries = async () =>
    (await ada.get('/api/audit?group=workspace')).body.items as { id: string; kind: string; details: object }[]
  const before = new Set((await entries()).map(({ id }) => id))
  await ada.patch('/api/workspace/branding', { name: 'North Quay' })
  await ada.patch('/api/workspace/branding', { name: 'North Quay' })
  await putLogo(ada, await picture(20, 20))
  await putLogo(ada, await picture(20, 20))
  await ada.delete('/api/workspace/logo')
  await ada.delete('/api/workspace/logo')
  const added = (await entries()).filter(({ id }) => !before.has(id))
  expect(added.map(({ kind }) => kind)).toEqual(['logo-removed', 'logo-changed', 'workspace-renamed'])
  expect(added.at(-1)?.details).toEqual({ before: 'Harbor Office', after: 'North Quay' })
})
