import { randomBytes } from 'node:crypto'
import { expect as soonExpect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { test } from '#tests/support/browser/browser-page.ts'
import { doc, words } from '#tests/support/documents/documents.ts'
import { goToStory, openStory, refusedByPolicy, story, textsOf, toolbar } from '#tests/support/browser/editor-page.ts'
import { lookAt } from '#tests/support/browser/look-at.ts'
import { acceptInvitation, signIn, signOut, WITH_ADA } from '#tests/support/browser/session-page.ts'
import { slowDown } from '#tests/support/browser/upload-page.ts'

/** A longer timeout for busy machines. */
const expect = soonExpect.configure({ timeout: 20_000 })

/** Unique, because tests in the same worker share a server. */
const MARIE = { name: 'marie', email: 'marie.reads@example.org', password: 'ten ravens study the map' }

test.use({ serverSettings: WITH_ADA })
test.use({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
test.setTimeout(180_000)

/** An image of a few hundred kilobytes, the size of a typical screenshot. */
const aLargePicture = (): Promise<Buffer> =>
  sharp(randomBytes(600 * 400 * 3), { raw: { width: 600, height: 400, channels: 3 } })
    .blur(6)
    .png()
    .toBuffer()

type Given = { readonly name: string; readonly type: string; readonly bytes: Buffer }

/** Drops or pastes files into the rich text editor. */
async function give(page: Page, how: 'drop' | 'paste', ...files: readonly Given[]): Promise<void> {
  const all = files.map(({ bytes, ...rest }) => ({ ...rest, base64: bytes.toString('base64') }))
  await story(page).evaluate(
    (place, { given, as }) => {
      const data = new DataTransfer()
      for (const { name, type, base64 } of given) {
        data.items.add(new File([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))], name, { type }))
      }
      const { left, bottom } = place.getBoundingClientRect()
      const shared = { bubbles: true, cancelable: true }
      place.dispatchEvent(
        as === 'paste'
          ? new ClipboardEvent('paste', { ...shared, clipboardData: data })
          : new DragEvent('drop', { ...shared, dataTransfer: data, clientX: left + 40, clientY: bottom - 10 }),
      )
    },
    { given: all, as: how },
  )
}

const filesIn = (kept: unknown): number => [...JSON.stringify(kept).matchAll(/"file":"[0-9a-z]{26}"/g)].length

test('images and files can be dropped on or pasted into rich text', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const id = await texts.make('Inside')
  const bytes = await aLargePicture()
  await openStory(page, id)
  await page.keyboard.type('Before\n')

  await test.step('a pasted image appears in the text as soon as it is uploaded', async () => {
    await give(page, 'paste', { name: 'screen.png', type: 'image/png', bytes })
    await expect(story(page).locator('.inside-picture img')).toBeVisible()
    await expect.poll(async () => filesIn(await texts.storyOf(id))).toBe(1)
  })

  await test.step('a dropped file is shown as a card with progress', async () => {
    await slowDown(page, 60_000)
    await give(page, 'drop', { name: 'numbers.bin', type: 'application/octet-stream', bytes: randomBytes(400_000) })
    await expect(story(page).getByRole('progressbar')).toBeVisible()
    await lookAt(page, 'inside-sending')
    expect(JSON.stringify(await texts.storyOf(id))).not.toContain('upload:')
    await slowDown(page, 0)
    await expect(story(page).getByRole('button', { name: 'Preview numbers.bin' })).toBeVisible()
    await expect.poll(async () => filesIn(await texts.storyOf(id))).toBe(2)
  })

  await test.step('undo restores removed files', async () => {
    await story(page).locator('.inside-picture img').click()
    await page.keyboard.press('Backspace')
    await expect(story(page).locator('.inside-picture')).toHaveCount(0)
    await expect.poll(async () => filesIn(await texts.storyOf(id))).toBe(1)
    await page.keyboard.press('ControlOrMeta+z')
    await expect(story(page).locator('.inside-picture img')).toBeVisible()
    await expect.poll(async () => filesIn(await texts.storyOf(id))).toBe(2)
  })

  await test.step('alt text and width are set by keyboard', async () => {
    await story(page).locator('.inside-picture img').click()
    await page.keyboard.press('Enter')
    await page.keyboard.type('A grey sea')
    await page.getByRole('radio', { name: '50 %' }).press('ArrowRight')
    await expect.poll(async () => JSON.stringify(await texts.storyOf(id))).toContain('"alt":"A grey sea"')
    await lookAt(page, 'inside-picture')
    await page.getByText('50 %').click()
    await expect.poll(async () => JSON.stringify(await texts.storyOf(id))).toContain('"width":50')
    await page.keyboard.press('Escape')
    await expect(story(page)).toBeFocused()
  })

  await test.step('embedded files remain after a reload and can be opened', async () => {
    await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
    await goToStory(page, id)
    await expect(story(page).getByRole('img', { name: 'A grey sea' })).toBeVisible()
    await story(page).getByRole('button', { name: 'Preview numbers.bin' }).click()
    await expect(page.getByRole('dialog')).toContainText('numbers.bin')
    await page.keyboard.press('Escape')
  })

  expect(await refusedByPolicy(page)).toBeNull()
})

test('files being uploaded into rich text survive a lost connection and a reload', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const id = await texts.make('Broken')
  await openStory(page, id)
  await page.keyboard.type('Words')

  await test.step('the upload continues when the connection is restored', async () => {
    await give(page, 'drop', { name: 'zero.txt', type: 'text/plain', bytes: Buffer.from('zero') })
    await expect.poll(async () => filesIn(await texts.storyOf(id))).toBe(1)
    await page.context().setOffline(true)
    await give(page, 'drop', { name: 'one.txt', type: 'text/plain', bytes: Buffer.from('one') })
    await expect(story(page).getByRole('button', { name: 'Cancel one.txt' })).toBeVisible()
    await page.context().setOffline(false)
    await expect(story(page).getByRole('button', { name: 'Preview one.txt' })).toBeVisible({ timeout: 60_000 })
    await expect.poll(async () => filesIn(await texts.storyOf(id))).toBe(2)
  })

  await test.step('an upload interrupted by a reload resumes, and its file is appended to the text', async () => {
    await slowDown(page, 30_000)
    await give(page, 'drop', { name: 'two.bin', type: 'application/octet-stream', bytes: randomBytes(300_000) })
    await expect(story(page).getByRole('progressbar')).toBeVisible()
    await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
    await page.reload()
    await slowDown(page, 0)
    await expect(story(page).getByRole('button', { name: 'Preview two.bin' })).toBeVisible({ timeout: 60_000 })
    await expect.poll(async () => filesIn(await texts.storyOf(id))).toBe(3)
  })

  await test.step('a canceled upload leaves nothing in the text', async () => {
    await slowDown(page, 20_000)
    await give(page, 'drop', { name: 'three.bin', type: 'application/octet-stream', bytes: randomBytes(300_000) })
    await page.getByRole('button', { name: 'Cancel three.bin' }).click()
    await expect(story(page).getByRole('progressbar')).toHaveCount(0)
    await slowDown(page, 0)
    expect(filesIn(await texts.storyOf(id))).toBe(3)
  })
})

test('mentions show current names of users and records, and only to permitted users', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const marie = await acceptInvitation(texts.ask, MARIE, 'viewer')
  await texts.ask('POST', '/api/collections', {
    label: 'Places',
    name: 'places',
    fields: [{ label: 'Title', kind: 'text' }],
  })
  const quay = String(
    (await texts.ask('POST', '/api/collections/places/records', { values: { title: 'Old quay' } }))['id'],
  )
  const id = await texts.make('Mentions')
  await openStory(page, id)

  await test.step('typing a name after @ suggests users and records', async () => {
    await page.keyboard.type('Ask @mar')
    const list = page.getByRole('listbox', { name: 'People and records' })
    await expect(list.getByRole('option', { name: 'marie' })).toHaveAttribute('aria-selected', 'true')
    await lookAt(page, 'inside-mention-list')
    await page.keyboard.press('Enter')
    await expect(story(page).locator('.inside-mention')).toHaveText('@marie')
    await page.keyboard.type('about @old quay')
    await expect(list.getByRole('option', { name: /Old quay/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(story(page).locator('.inside-mention').last()).toHaveText('@Old quay')
    await expect.poll(async () => JSON.stringify(await texts.storyOf(id))).toContain(quay)
    expect(JSON.stringify(await texts.storyOf(id))).toContain(marie)
    await lookAt(page, 'inside-mentions')
  })

  await test.step('only the first matches of a long list are suggested, with a notice', async () => {
    const create = Array.from({ length: 25 }, (_, at) => ({ values: { title: `Breakwater ${at}` } }))
    await texts.ask('POST', '/api/collections/places/records/bulk', { create })
    await page.keyboard.type('and @breakwater')
    await expect(page.getByRole('listbox', { name: 'People and records' }).getByRole('option')).toHaveCount(20)
    await expect(page.getByText('More results available. Type to narrow them down.')).toBeVisible()
    await page.keyboard.press('ArrowUp')
    await expect(page.locator('.editor-choice[aria-selected="true"]')).toBeInViewport()
    await lookAt(page, 'inside-mention-list-cut')
    for (const _ of 'and @breakwater') await page.keyboard.press('Backspace')
    await expect(page.getByRole('listbox', { name: 'People and records' })).toBeHidden()
    await expect(story(page)).not.toContainText('and')
  })

  await test.step('a mention shows a new name immediately', async () => {
    await texts.ask('PATCH', `/api/collections/places/records/${quay}`, { values: { title: 'New quay' } })
    await goToStory(page, id)
    await expect(story(page).locator('.inside-mention').last()).toHaveText('@New quay')
  })

  await test.step("a user who can't see a record doesn't see its name", async () => {
    const collection = String((await texts.ask('GET', '/api/collections/texts'))['id'])
    const grants = [{ permission: 'records:read', collection }]
    const policy = await texts.ask('POST', '/api/policies', { name: 'Texts alone', grants })
    const role = await texts.ask('POST', '/api/roles', { name: 'Reader of texts', policies: [policy['id']] })
    await texts.ask('PATCH', `/api/users/${marie}`, { roles: [role['id']] })
    await signOut(page)
    await signIn(page, MARIE)
    await page.goto(`/collections/texts/${id}`)
    await expect(page.locator('.inside-mention').first()).toHaveText('@marie')
    await expect(page.locator('.inside-mention').last()).toHaveText('@a record')
    await expect(page.getByText('New quay')).toHaveCount(0)
    await lookAt(page, 'inside-reader')
  })

  expect(await refusedByPolicy(page)).toBeNull()
})

test('pasted text excludes images from other records', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const [one, other] = [await texts.make('One'), await texts.make('Other', doc(words('Here')))]
  await openStory(page, one)
  await give(page, 'paste', { name: 'screen.png', type: 'image/png', bytes: await aLargePicture() })
  await expect.poll(async () => filesIn(await texts.storyOf(one))).toBe(1)
  const file = /"file":"([0-9a-z]{26})"/.exec(JSON.stringify(await texts.storyOf(one)))?.[1] ?? ''
  await goToStory(page, other)
  await story(page).evaluate((place, id) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', `<p>Pasted words</p><img data-file="${id}" src="/api/files/${id}">`)
    place.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }))
  }, file)
  await expect(story(page)).toContainText('Pasted words')
  await expect(page.getByText('A file wasn’t added')).toBeVisible()
  await expect(story(page).locator('.inside-picture, .inside-gone')).toHaveCount(0)
})

test('files can be selected for insertion into rich text, and a rejected file can be retried in place', async ({
  page,
  server,
}) => {
  const texts = await textsOf(server.url)
  const allow = (quotaBytes: number | null) => texts.ask('PATCH', '/api/workspace/storage', { quotaBytes })
  const id = await texts.make('Chosen', doc(words('Before'), words('After')))
  await openStory(page, id)
  const choose = async (...names: readonly string[]) => {
    await toolbar(page).getByRole('button', { name: 'Insert' }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('menuitem', { name: 'Image or file' }).click()
    const buffer = await aLargePicture()
    await (await chooser).setFiles(names.map((name) => ({ name, mimeType: 'image/png', buffer })))
  }
  /** Returns the images, files and words in document order. */
  const kept = async () => JSON.stringify(await texts.storyOf(id)).match(/Before|"type":"(?:image|file)"|After|words/g)

  await test.step('a selected file is inserted at the caret', async () => {
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.press('End')
    await choose('one.png', 'two.png')
    await expect(story(page).locator('.inside-picture img')).toHaveCount(2)
    await expect.poll(kept).toEqual(['Before', '"type":"image"', '"type":"image"', 'After'])
  })

  await test.step('a file over the quota shows an error in place and keeps the text', async () => {
    await allow(0)
    await page.keyboard.press('ControlOrMeta+End')
    await choose('three.png')
    await expect(story(page).getByRole('button', { name: 'Try three.png again' })).toBeVisible()
    await expect(story(page).locator('.upload-failure')).not.toBeEmpty()
    await lookAt(page, 'inside-refused')
    await story(page).getByText('After').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' words')
    await expect.poll(kept).toEqual(['Before', '"type":"image"', '"type":"image"', 'After', 'words'])
    expect(JSON.stringify(await texts.storyOf(id))).not.toContain('upload:')
  })

  await test.step('the file is rejected until there is space, then inserted after a retry', async () => {
    const again = story(page).getByRole('button', { name: 'Try three.png again' })
    const refused = page.waitForResponse((answer) => answer.url().includes('/api/tus') && !answer.ok())
    await again.click()
    await refused
    await expect(again).toBeVisible()
    await allow(null)
    await again.click()
    await expect(story(page).locator('.inside-picture img')).toHaveCount(3)
    await expect.poll(async () => (await kept())?.at(-1)).toBe('"type":"image"')
    expect(filesIn(await texts.storyOf(id))).toBe(3)
  })

  expect(await refusedByPolicy(page)).toBeNull()
})
