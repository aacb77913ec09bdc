import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { expect as soonExpect } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import {
  accountOf,
  ADA,
  asProgram,
  fillLogin,
  acceptInvitation,
  signIn,
  WITH_ADA,
} from '#tests/support/browser/session-page.ts'
import { expectFiles, createFilesRecord, slowDown, uploadsButton } from '#tests/support/browser/upload-page.ts'

/** A longer timeout for busy machines. */
const expect = soonExpect.configure({ timeout: 20_000 })

/** Unique, because tests in the same worker share a server. */
const HEDY = { name: 'hedy', email: 'heddy@example.org', password: 'two owls repair the radio' }

test.use({ locale: 'en-US' })
test.setTimeout(120_000)
test.use({ serverSettings: WITH_ADA })

const aFile = (name: string, bytes: number) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: randomBytes(bytes),
})
const choosing = 'Choose files for Plans'

test('a file remains queued when the connection is lost or the session ends', async ({ page, server }, info) => {
  const record = await createFilesRecord(server.url, 'away')
  /** Creates a file on disk, as if a user had selected it. */
  const large = async (name: string): Promise<string> => {
    const path = info.outputPath(name)
    await writeFile(path, randomBytes(12_000_000))
    return path
  }
  await signIn(page, ADA)
  await page.goto(record.page)
  const list = page.getByRole('list', { name: 'Uploads to Plans' })

  await test.step('offline, the file is queued and shown as pending', async () => {
    // Bytes that were already sent still arrive; later ones don't.
    await slowDown(page, 2_000_000)
    await page.getByLabel(choosing).setInputFiles(await large('ferry.bin'))
    await expect(list).toContainText(/\/s · .+ left/)
    await page.route('**/api/**', (route) => route.abort('internetdisconnected'))
    await expect(list).toContainText('waiting for the server')
    await slowDown(page, 0)
    await page.unroute('**/api/**')
    await expectFiles(record, 1)
  })

  await test.step('after sign-out, the file remains queued until the next sign-in', async () => {
    await slowDown(page, 2_000_000)
    await page.getByLabel(choosing).setInputFiles(await large('tanker.bin'))
    await expect(list).toContainText(/\/s · .+ left/)
    await (await asProgram(server.url, ADA)).endAllSessions()
    await page.getByLabel('Password', { exact: true }).waitFor()
    await slowDown(page, 0)
    await fillLogin(page, ADA)
    await expect(accountOf(page, ADA)).toBeVisible()
    // The test's API client was signed out as well.
    const { ask } = await asProgram(server.url, ADA)
    await expect.poll(async () => (await ask('GET', record.api))['values']).toMatchObject({ plans: { length: 2 } })
  })
})

test('two tabs upload to the same field without data loss', async ({ page, context, server }) => {
  const record = await createFilesRecord(server.url, 'tabs')
  await signIn(page, ADA)
  const other = await context.newPage()
  for (const tab of [page, other]) await tab.goto(record.page)
  await Promise.all(
    [page, other].map((tab, at) =>
      tab.getByLabel(choosing).setInputFiles([aFile(`${at}-a.bin`, 2_000_000), aFile(`${at}-b.bin`, 1000)]),
    ),
  )
  for (const tab of [page, other])
    await tab.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Home' }).click()
  await expectFiles(record, 4)
})

test("a record that became read-only explains why it can't be edited and keeps the file", async ({ page, server }) => {
  const record = await createFilesRecord(server.url, 'rights')
  const { ask } = await asProgram(server.url, ADA)
  const hedy = await acceptInvitation(ask, HEDY, 'editor')
  await signIn(page, HEDY)
  await page.goto(record.page)
  await slowDown(page, 200_000)
  await page.getByLabel(choosing).setInputFiles([aFile('late.bin', 1_500_000)])
  await page.getByRole('button', { name: 'Pause late.bin' }).first().click()
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Home' }).click()
  await ask('PATCH', `/api/users/${hedy}`, { roles: ['viewer'] })
  await slowDown(page, 0)
  await uploadsButton(page).click()
  await page.getByRole('button', { name: 'Resume late.bin' }).click()
  const line = page.getByRole('dialog', { name: 'Uploads' }).getByRole('listitem').filter({ hasText: 'late.bin' })
  await expect(line.getByRole('button', { name: 'Try late.bin again' })).toBeVisible()
  // The second message appears if the upload was paused before it was created on the server.
  await expect(line).toContainText(/you can no longer add files here|don’t have permission/)
  expect(await record.files()).toEqual([])
  await ask('PATCH', `/api/users/${hedy}`, { roles: ['editor'] })
  await line.getByRole('button', { name: 'Try late.bin again' }).click()
  await expectFiles(record, 1)
})
