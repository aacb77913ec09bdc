import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect as soonExpect, type Locator, type Page } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { sampleImage } from '#tests/support/files/image-samples.ts'
import { ADA, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'
import { expectFiles, createFilesRecord } from '#tests/support/browser/upload-page.ts'

/** A longer timeout for busy machines. */
const expect = soonExpect.configure({ timeout: 20_000 })

test.use({ locale: 'en-US' })
test.setTimeout(120_000)
test.use({ serverSettings: WITH_ADA })

/** Simulates dragging files and folders from the operating system. */
async function dragIn(page: Page, paths: readonly string[], place: Locator): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  const { x, y, width, height } = (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const)
    await devTools.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data })
}

test('folders, files dropped on a rich text field and pasted screenshots are added in the right place', async ({
  page,
  server,
}) => {
  const record = await createFilesRecord(server.url, 'landings', [{ name: 'story', label: 'Story', kind: 'rich-text' }])
  const folder = await mkdtemp(join(tmpdir(), 'dossier-dropped-'))
  await mkdir(join(folder, 'site/deep/deeper'), { recursive: true })
  for (const path of ['a.txt', 'deep/b.txt', 'deep/deeper/c.txt', 'deep/.DS_Store'])
    await writeFile(join(folder, 'site', path), `in ${path}`)
  await writeFile(join(folder, 'letter.txt'), 'a letter')
  await signIn(page, ADA)
  await page.goto(record.page)
  const story = page.getByRole('textbox', { name: 'Story' })
  await story.waitFor()

  await test.step('a dropped folder is uploaded with its contents, except system files', async () => {
    await dragIn(page, [join(folder, 'site')], page.getByRole('article'))
    await expectFiles(record, 3)
    for (const name of ['a.txt', 'b.txt', 'c.txt'])
      await expect(page.getByRole('button', { name: `Preview ${name}` })).toBeVisible()
  })

  await test.step('a file dropped on a rich text field is inserted at the drop position', async () => {
    await dragIn(page, [join(folder, 'letter.txt')], story)
    await expect(story.getByRole('button', { name: 'Preview letter.txt' })).toBeVisible()
    await expectFiles(record, 3)
  })

  await test.step('a screenshot can be pasted anywhere on the page', async () => {
    const bytes = [...(await sampleImage(20, 20))]
    await page.evaluate((all) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([Uint8Array.from(all)], 'image.png', { type: 'image/png' }))
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, bytes)
    await expectFiles(record, 4)
    await expect(page.getByRole('button', { name: 'Preview image.png' })).toBeVisible()
  })
  await rm(folder, { recursive: true })
})
