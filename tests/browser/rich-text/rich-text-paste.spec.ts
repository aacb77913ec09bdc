import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { outlineOf } from '#tests/support/documents/document-outline.ts'
import { goToStory, openStory, refusedByPolicy, story, textsOf } from '#tests/support/browser/editor-page.ts'
import { WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })
test.use({ locale: 'en-US', viewport: { width: 1440, height: 900 } })

const fixture = (name: string): string =>
  readFileSync(new URL(`../../support/fixtures/paste/${name}`, import.meta.url), 'utf8')

/** Pastes clipboard data in the formats that a given program produces. */
const paste = (page: Page, parts: { readonly [type: string]: string }) =>
  story(page).evaluate((text, given) => {
    const clipboardData = new DataTransfer()
    for (const [type, value] of Object.entries(given)) clipboardData.setData(type, value)
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, parts)

const RIVERS = `table
  tableRow
    tableCell
      paragraph: Rivers
    tableCell
      paragraph
    tableCell
      paragraph: km
  tableRow
    tableCell
      paragraph: Avon
    tableCell
      paragraph: Bath
    tableCell
      paragraph: 17.5
  tableRow
    tableCell
      paragraph
    tableCell
      paragraph: Bristol
    tableCell
      paragraph: 30`

/** The expected result for each source program. */
const BECOMES: { readonly [file: string]: string } = {
  'word.html': `heading level=1: Minutes of the otters
heading level=2: Who was there
paragraph: bold[Ada] and italic[Grace], underline[both] in strike[London] Bath. link[Minutes] trap
paragraph
bulletList
  listItem
    paragraph: Boots
    bulletList
      listItem
        paragraph: Brown bold[ones]
        bulletList
          listItem
            paragraph: Laces
  listItem
    paragraph: Maps
orderedList start=4
  listItem
    paragraph: Train
  listItem
    paragraph: Bus
table
  tableRow
    tableCell
      paragraph: Both
    tableCell
      paragraph
  tableRow
    tableCell
      paragraph: left
    tableCell
      paragraph: right`,
  'google-docs.html': `heading level=1: Plan of the otters
paragraph
paragraph: We bold[play] and italic[sleep]underline[ long]strike[ hours] link[here]
bulletList
  listItem
    paragraph: one
    bulletList
      listItem
        paragraph: below
  listItem
    paragraph: two
taskList
  taskItem checked=true
    paragraph: done
  taskItem
    paragraph: open`,
  'excel.html': RIVERS,
  'calc.html': RIVERS.replace('Rivers', 'bold[Rivers]'),
  'writer.html': `heading level=1: Trip to Bath
paragraph: We bold[start] at italic[nine], underline[not] strike[ten]. See link[the town].
bulletList
  listItem
    paragraph: Boots
    bulletList
      listItem
        paragraph: Brown
      listItem
        paragraph: Black
  listItem
    paragraph: Maps
orderedList
  listItem
    paragraph: Train
  listItem
    paragraph: Bus
table
  tableRow
    tableHeader
      paragraph: Day
    tableHeader
      paragraph: Town
  tableRow
    tableCell
      paragraph: 1
    tableCell
      paragraph: Bath`,
}

const NOTES = `heading level=1: Notes of the otters
paragraph: Written bold[by hand], with italic[care], strike[in haste] and code[code]; see link[the page].
taskList
  taskItem checked=true
    paragraph: done
  taskItem
    paragraph: open
orderedList
  listItem
    paragraph: one
    bulletList
      listItem
        paragraph: below
  listItem
    paragraph: two
blockquote
  paragraph: said
codeBlock language=ts: const a = 1
table
  tableRow
    tableHeader
      paragraph: Name
    tableHeader
      paragraph: Town
  tableRow
    tableCell
      paragraph: Ada
    tableCell
      paragraph: Bath
paragraph: [trap](javascript:alert(1)) <script>alert(1)</script>`

test('text from other programs keeps its formatting', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  for (const [at, [file, shape]] of Object.entries(BECOMES).entries()) {
    await test.step(file, async () => {
      const id = await texts.make(file)
      await (at === 0 ? openStory(page, id) : goToStory(page, id))
      await paste(page, { 'text/html': fixture(file), 'text/plain': 'plain' })
      await expect.poll(async () => outlineOf((await texts.storyOf(id)) ?? {})).toBe(shape)
      await page.keyboard.press('Control+z')
      await expect(story(page)).toHaveText('')
    })
  }
  expect(await refusedByPolicy(page)).toBeNull()
})

test('pasted Markdown is converted, or kept literally with Shift, and its parser loads on demand', async ({
  page,
  server,
}) => {
  const scripts: string[] = []
  page.on('request', (request) => void scripts.push(request.url()))
  const texts = await textsOf(server.url)
  const id = await texts.make('Markdown')
  await openStory(page, id)
  await paste(page, { 'text/plain': 'Dear Ada, it is three.' })
  await expect(story(page)).toHaveText('Dear Ada, it is three.')
  await page.keyboard.press('Control+z')
  expect(scripts.filter((url) => /markdown-html/.test(url))).toEqual([])

  await paste(page, { 'text/plain': fixture('notes.md') })
  await expect.poll(async () => outlineOf((await texts.storyOf(id)) ?? {})).toBe(NOTES)
  expect(scripts.filter((url) => /markdown-html/.test(url))).toHaveLength(1)
  await page.keyboard.press('Control+z')
  await expect(story(page)).toHaveText('')

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => navigator.clipboard.writeText('- one\n- two'))
  await page.keyboard.press('Control+Shift+v')
  await expect(story(page)).toHaveText('- one- two')
  await expect(story(page).locator('ul')).toHaveCount(0)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+v')
  await expect(story(page).locator('ul > li')).toHaveText(['one', 'two'])
  expect(await refusedByPolicy(page)).toBeNull()
})

test('a table that is too large is converted to lines', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const id = await texts.make('Large')
  await openStory(page, id)
  const row = `<tr>${'<td>x</td>'.repeat(51)}</tr>`
  await paste(page, { 'text/html': `<table>${row}${row}</table>` })
  await expect(story(page).locator('p')).toHaveCount(2)
  await expect(story(page).locator('table')).toHaveCount(0)
})
