import { expect } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { aPdf, fileProgram } from '#tests/support/files/file-records.ts'
import { ADA, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

test("a PDF is embedded so that the browser's viewer works", async ({ page, server }) => {
  const program = await fileProgram(server.url, ADA)
  await program.makeCollection('Readers')
  const record = await program.makeRecord('readers', 'One', [{ name: 'Report.pdf', bytes: aPdf('Report') }])
  // The test browser may lack a PDF viewer, so it is patched to report one, and only the request is checked.
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => true }))
  await signIn(page, ADA)
  await page.goto(`/collections/readers/${record.id}`)
  const framed = page.waitForResponse((answer) => answer.request().resourceType() === 'document')
  await page.getByRole('button', { name: 'Preview Report.pdf' }).click()
  const frame = page.getByRole('dialog').locator('iframe')
  await expect(frame).toHaveAttribute('title', 'Report.pdf')
  await expect(frame).toHaveAttribute('src', /^\/api\/files\/[^&]+\?(?!.*download)/)
  // Chrome doesn't display a PDF if the frame or the response is sandboxed.
  await expect(frame).not.toHaveAttribute('sandbox')
  const headers = await (await framed).allHeaders()
  expect(headers).toMatchObject({
    'content-type': 'application/pdf',
    'x-frame-options': 'SAMEORIGIN',
  })
  expect(headers['content-disposition']).toMatch(/^inline/)
  const policy = headers['content-security-policy'] ?? ''
  expect(policy).toContain("frame-ancestors 'self'")
  // Chrome opens a PDF page in an object element, which the file's content security policy must allow.
  expect(policy).toContain("object-src 'self'")
  expect(policy).not.toContain('sandbox')
})
