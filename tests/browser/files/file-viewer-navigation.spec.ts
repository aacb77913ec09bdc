import { expect } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { fileProgram } from '#tests/support/files/file-records.ts'
import { sampleImage } from '#tests/support/files/image-samples.ts'
import { ADA, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA, locale: 'en-US' })

test('fast navigation skips no file, even if the URL lags behind', async ({ page, server }) => {
  const program = await fileProgram(server.url, ADA)
  await program.makeCollection('Turned')
  const bytes = await sampleImage(100, 60)
  const pictures = Array.from({ length: 20 }, (_, at) => ({
    name: `${at + 1}.png`,
    // Extra bytes after the end of the image make it a different file.
    bytes: Buffer.concat([bytes, Buffer.from(String(at))]),
  }))
  const record = await program.makeRecord('turned', 'Twenty', pictures)
  await signIn(page, ADA)
  await page.goto(`/collections/turned/${record.id}`)
  await page.getByRole('button', { name: 'Preview 1.png' }).click()
  const heading = page.getByRole('dialog').getByRole('heading')
  await expect(heading).toHaveText('1.png')
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await Promise.all(Array.from({ length: 12 }, () => page.keyboard.press('ArrowRight')))
  await expect(heading).toHaveText('13.png')
  await Promise.all(Array.from({ length: 5 }, () => page.keyboard.press('ArrowLeft')))
  await expect(heading).toHaveText('8.png')
  await expect(page).toHaveURL(new RegExp(`file=${record.files[7]}`))
})
