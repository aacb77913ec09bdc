import { expect, type Request } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { fileProgram } from '#tests/support/files/file-records.ts'
import { ADA, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA, provokes: 'refusals' })
test.setTimeout(120_000)

const RAN = '/api/health?ran=1'
const SCRIPT = `<script>fetch("${RAN}")</script>`

test('a script in a file never runs, no matter how its URL is opened', async ({ page, server }) => {
  const program = await fileProgram(server.url, ADA)
  await program.makeCollection('Hostile')
  const record = await program.makeRecord('hostile', 'All', [
    { name: 'a.html', bytes: Buffer.from(`<!doctype html>${SCRIPT}`), type: 'text/html' },
    {
      name: 'a.svg',
      bytes: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload='fetch("${RAN}")'>${SCRIPT}</svg>`),
    },
    {
      name: 'a.xhtml',
      bytes: Buffer.from(`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`),
    },
    { name: 'a.js', bytes: Buffer.from(`fetch("${RAN}")`), type: 'text/javascript' },
    { name: 'a.png', bytes: Buffer.from(`<!doctype html>${SCRIPT}`), type: 'image/png' },
    { name: 'a.gif', bytes: Buffer.from(`GIF89a/*\0\0\0\0*/=1;fetch("${RAN}")`) },
    { name: 'a.pdf', bytes: Buffer.from(`%PDF-1.4\n${SCRIPT}`) },
  ])
  const ran: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('ran=1')) ran.push(request.frame().url())
  })
  await signIn(page, ADA)
  await page.goto(`/collections/hostile/${record.id}`)
  const links = page.getByRole('link', { name: /^Download a\./ })
  await expect(links).toHaveCount(7)
  const addresses = await links.evaluateAll((all) =>
    all.map((one) => one.getAttribute('href')?.replace('&download=', '') ?? ''),
  )

  await test.step('embedding a file as an image, frame, object, script or style runs no script', async () => {
    let keptOut = 0
    const countKeptOut = (request: Request) => void (keptOut += request.resourceType() === 'document' ? 1 : 0)
    page.on('requestfailed', countKeptOut)
    await page.evaluate(async (urls) => {
      const settled = (element: HTMLElement) =>
        new Promise((resolve) => {
          for (const event of ['load', 'error']) element.addEventListener(event, resolve)
          document.body.append(element)
        })
      // The page's content security policy blocks all embedding.
      const refused = new Promise<void>((resolve) => {
        let left = 2 * urls.length
        document.addEventListener('securitypolicyviolation', () => (--left === 0 ? resolve() : undefined))
      })
      const telling = urls.flatMap((url) => [
        Object.assign(document.createElement('img'), { src: url }),
        Object.assign(document.createElement('script'), { src: url }),
        Object.assign(document.createElement('script'), { src: url, type: 'module' }),
        Object.assign(document.createElement('link'), { href: url, rel: 'stylesheet' }),
      ])
      for (const url of urls) {
        const frame = Object.assign(document.createElement('iframe'), { src: url })
        const object = Object.assign(document.createElement('object'), { data: url })
        document.body.append(frame, object, Object.assign(document.createElement('embed'), { src: url }))
      }
      await Promise.all([...telling.map(settled), refused])
    }, addresses)
    // A blocked frame emits no event, so failed requests are counted instead. Only PDFs may be framed.
    const kept = addresses.length - ((await page.evaluate(() => navigator.pdfViewerEnabled)) ? 1 : 0)
    await expect.poll(() => keptOut).toBe(kept)
    page.off('requestfailed', countKeptOut)
    expect(ran).toEqual([])
  })

  await test.step('opening a file as a page runs no script', async () => {
    for (const address of addresses) {
      // A download aborts the navigation.
      await page.goto(address).then(
        () => undefined,
        (error: Error) => expect(error.message).toMatch(/Download is starting|ERR_ABORTED/),
      )
    }
    expect(ran).toEqual([])
  })
})
