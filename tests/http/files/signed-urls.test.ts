import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { type BrowserSession, browserSessionOf, cookieIn } from '#tests/support/browser/browser-session.ts'
import { sampleImage } from '#tests/support/files/image-samples.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { tusSender } from '#tests/support/files/tus-sender.ts'

type ShownFile = { readonly id: string; readonly url: string; readonly thumbUrl: string }

let app: TestApp
let url: string
let owner: Caller
let collection: { readonly id: string; readonly fields: readonly { readonly id: string; readonly name: string }[] }
const records = '/api/collections/plans/records'
const REFUSED = '403 forbidden'

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
  owner = await app.asOwner()
  const fields = [
    { label: 'Files', kind: 'files' },
    { label: 'Open', kind: 'checkbox' },
  ]
  collection = (await owner.post('/api/collections', { label: 'Plans', fields })).body
})
afterAll(() => app.close())

const codeOf = ({ status, body }: Answer) => `${status} ${body?.code ?? ''}`.trim()

/** Creates a record with one image; returns the record's ID. */
async function aRecord(values: object = {}): Promise<string> {
  const sender = tusSender(url, owner)
  const id = await sender.send({ collection: 'plans', field: 'files' }, await sampleImage(300, 200), 'plan.png')
  const made = await owner.post(records, { values: { files: [id], ...values } })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

async function fileIn(record: string, caller: Caller, headers: Record<string, string> = {}): Promise<ShownFile> {
  const shown = await caller.get(`${records}/${record}?expand=files`, headers)
  expect(shown.status, shown.text).toBe(200)
  return shown.body.values.files[0]
}

/** Requests a URL as an `<img>` element does, with the cookie if one is given. */
const asPicture = (address: string, cookie?: string): Promise<Answer> =>
  app.guest.get(address, cookie === undefined ? {} : { cookie })

/** A browser session of a user with these grants. */
async function granted(grants: readonly Grant[] | (() => readonly Grant[])): Promise<BrowserSession> {
  return browserSessionOf(app, (await app.asGranted(grants)).userId)
}

const reading = (): Grant => ({ permission: 'records:read', collection: collection.id })

describe('a file URL in a page', () => {
  test("works with the browser's cookie and can be cached", async () => {
    const { page, cookie } = await browserSessionOf(app, owner.userId)
    const file = await fileIn(await aRecord(), page)
    for (const address of [file.url, file.thumbUrl, `${file.url}&w=96`, `${file.url}&download`]) {
      const answer = await asPicture(address, cookie)
      expect([address, codeOf(answer)]).toEqual([address, '200'])
      expect(answer.headers['cache-control']).toMatch(/^private, max-age=\d{4}, immutable$/)
      // Another user who signs in in the same browser can't see cached files.
      expect(answer.headers['vary']).toBe('cookie, authorization')
    }
  })

  test('remains the same for 15 minutes', async () => {
    const { page } = await browserSessionOf(app, owner.userId)
    const record = await aRecord()
    expect(await fileIn(record, page)).toEqual(await fileIn(record, page))
  })

  test('does not work for other users, even if they can read the file', async () => {
    const { page } = await browserSessionOf(app, owner.userId)
    const other = await browserSessionOf(app, (await app.asOwner()).userId)
    const again = await browserSessionOf(app, owner.userId)
    const { url: address } = await fileIn(await aRecord(), page)
    expect(codeOf(await asPicture(address))).toBe('401 token-missing')
    expect(codeOf(await asPicture(address, 'dossier_refresh=nonsense'))).toBe('401 session-ended')
    expect(codeOf(await asPicture(address, other.cookie))).toBe(REFUSED)
    expect(codeOf(await asPicture(address, again.cookie))).toBe(REFUSED)
    expect(codeOf(await other.page.get(address))).toBe(REFUSED)
  })

  test("works with the session's token, or with an API client's own token", async () => {
    const { page } = await browserSessionOf(app, owner.userId)
    const record = await aRecord()
    expect(codeOf(await page.get((await fileIn(record, page)).url))).toBe('200')
    const made = await owner.post('/api/tokens', { name: 'script', scopes: ['records:read'] })
    const script = app.withToken(made.body.token)
    const { url: address } = await fileIn(record, script)
    expect(codeOf(await script.get(address))).toBe('200')
    expect(codeOf(await asPicture(address))).toBe('401 token-missing')
    expect(codeOf(await owner.get(address))).toBe(REFUSED)
    await owner.delete(`/api/tokens/${made.body.id}`)
    expect(codeOf(await script.get(address))).toBe('401 token-invalid')
  })

  test('is valid only for one file, image width and time window', async () => {
    const { page, cookie } = await browserSessionOf(app, owner.userId)
    const [a, b] = [await fileIn(await aRecord(), page), await fileIn(await aRecord(), page)]
    const later = (_: string, seconds: string) => `expires=${Number(seconds) + 1}`
    const refused = [
      a.url.replace(a.id, b.id),
      a.thumbUrl.replace('w=240', 'w=1600'),
      a.thumbUrl.replace('w=240&', ''),
      a.url.replace(/expires=(\d+)/, later),
      a.url.replace(/signature=.*/, 'signature=x'),
      a.url.replace('?', `?as=${owner.userId}&`),
    ]
    for (const address of refused) {
      const code = codeOf(await asPicture(address, cookie))
      expect([address, code]).toEqual([address, address.includes('as=') ? '409 view-as-ended' : REFUSED])
    }
  })

  test('expires after at most 75 minutes', async () => {
    const { page, cookie } = await browserSessionOf(app, owner.userId)
    const { url: address } = await fileIn(await aRecord(), page)
    app.clock.move(76 * 60 * 1000)
    expect(codeOf(await asPicture(address, cookie))).toBe(REFUSED)
    owner = await app.asOwner()
  })
})

describe('a file URL expires', () => {
  test('when its session ends', async () => {
    const { page, cookie } = await browserSessionOf(app, owner.userId)
    const { url: address } = await fileIn(await aRecord(), page)
    await page.post('/api/auth/logout')
    expect(codeOf(await asPicture(address, cookie))).toBe('401 session-ended')
  })

  test('when its cookie has been replaced twice, but not after the first replacement', async () => {
    const first = await browserSessionOf(app, owner.userId)
    const { url: address } = await fileIn(await aRecord(), first.page)
    const script = { 'x-requested-with': 'dossier', origin: app.config.publicUrl.origin }
    const refresh = async (cookie: string) => {
      // Waits until a repeated refresh no longer returns the same response.
      app.clock.move(61_000)
      const answer = await app.guest.post('/api/auth/refresh', undefined, { ...script, cookie })
      expect(answer.status, answer.text).toBe(200)
      return cookieIn(answer.headers['set-cookie'])
    }
    const second = await refresh(first.cookie)
    expect(codeOf(await asPicture(address, first.cookie))).toBe('200')
    expect(codeOf(await asPicture(address, second))).toBe('200')
    const third = await refresh(second)
    expect(codeOf(await asPicture(address, first.cookie))).toBe('401 session-ended')
    expect(codeOf(await asPicture(address, third))).toBe('200')
  })

  test('when the user can no longer read its record, field or collection', async () => {
    const fields = { except: collection.fields.filter(({ name }) => name === 'files').map(({ id }) => id) }
    const isOpen = collection.fields.find(({ name }) => name === 'open')?.id ?? ''
    const where = { field: isOpen, op: '=', value: true } as const
    const left: readonly (readonly Grant[])[] = [[], [{ ...reading(), fields }], [{ ...reading(), where }]]
    for (const after of left) {
      let now: readonly Grant[] = [reading()]
      const { page, cookie } = await granted(() => now)
      const { url: address, thumbUrl } = await fileIn(await aRecord(), page)
      expect(codeOf(await asPicture(address, cookie))).toBe('200')
      now = after
      expect(codeOf(await asPicture(address, cookie))).toBe('404 not-found')
      expect(codeOf(await asPicture(thumbUrl, cookie))).toBe('404 not-found')
    }
  })

  test('when its record becomes hidden, and works again once the record is visible', async () => {
    const where = {
      field: collection.fields.find(({ name }) => name === 'open')?.id ?? '',
      op: '=',
      value: true,
    } as const
    const { page, cookie } = await granted([{ ...reading(), where }])
    const record = await aRecord({ open: true })
    const { url: address } = await fileIn(record, page)
    expect(codeOf(await asPicture(address, cookie))).toBe('200')
    await owner.patch(`${records}/${record}`, { values: { open: false } })
    expect(codeOf(await asPicture(address, cookie))).toBe('404 not-found')
    await owner.patch(`${records}/${record}`, { values: { open: true } })
    expect(codeOf(await asPicture(address, cookie))).toBe('200')
  })

  test('when the file is detached or the record is deleted', async () => {
    const { page, cookie } = await granted([reading()])
    const record = await aRecord()
    const { url: address } = await fileIn(record, page)
    await owner.patch(`${records}/${record}`, { values: { files: [] } })
    expect(codeOf(await asPicture(address, cookie))).toBe('404 not-found')
    const gone = await aRecord()
    const file = await fileIn(gone, page)
    await owner.delete(`${records}/${gone}`)
    expect(codeOf(await asPicture(file.url, cookie))).toBe('404 not-found')
  })

  test('when the account is disabled', async () => {
    const viewer = await app.asViewer()
    const { page, cookie } = await browserSessionOf(app, viewer.userId)
    const { url: address } = await fileIn(await aRecord(), page)
    await owner.patch(`/api/users/${viewer.userId}`, { isDisabled: true })
    expect(codeOf(await asPicture(address, cookie))).toBe('401 session-ended')
  })

  test('when the impersonation session ends', async () => {
    const { page, cookie } = await browserSessionOf(app, owner.userId)
    const seen = await app.asViewer()
    const record = await aRecord()
    expect((await page.post('/api/view-as', { user: seen.userId })).status).toBe(201)
    const { url: address } = await fileIn(record, page, { 'view-as': seen.userId ?? '' })
    const shown = await asPicture(address, cookie)
    expect([codeOf(shown), shown.headers['cache-control']]).toEqual(['200', 'no-store'])
    expect(codeOf(await asPicture(address.replace(/as=[^&]*&/, ''), cookie))).toBe(REFUSED)
    await page.delete('/api/view-as')
    expect(codeOf(await asPicture(address, cookie))).toBe('409 view-as-ended')
  })
})
